package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How the simulated server makes token ids of text and of a conversation. */
public final class PromptLayout {
  private static final Map<String, Integer> ROLES =
      Map.of("user", 4, "assistant", 5, "system", 6);

  private PromptLayout() {}

  /**
   * One message of a conversation.
   *
   * @param role who says it
   * @param tokens what is said
   */
  public record Message(String role, int[] tokens) {}

  /** Token ids of a text: one for each word, unknown ones included. */
  public static int[] encode(String text) {
    return Vocabulary.encode(text);
  }

  /** A conversation as the chat template lays it out; the assistant's role comes last. */
  public static int[] chat(List<Message> messages) {
    List<Integer> prompt = new ArrayList<>();
    for (Message message : messages) {
      prompt.add(ROLES.getOrDefault(message.role(), Vocabulary.UNKNOWN));
      for (int token : message.tokens()) {
        prompt.add(token);
      }
      prompt.add(Vocabulary.END_OF_TEXT);
    }
    prompt.add(ROLES.get("assistant"));
    return prompt.stream().mapToInt(Integer::intValue).toArray();
  }
}
