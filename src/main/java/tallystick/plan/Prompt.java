package tallystick.plan;

import java.util.List;

/** What a request says to the model. */
public sealed interface Prompt {

  /**
   * A made-up prompt of an exact length: the shared prefixes in order, then tokens that no other
   * request of the run has.
   *
   * @param tokens whole length in tokens, prefixes included
   * @param prefixes shared prefixes, in order; their lengths add up to at most {@code tokens}
   */
  record Synthetic(int tokens, List<SharedPrefix> prefixes) implements Prompt {
    public Synthetic {
      prefixes = prefixes == null ? List.of() : List.copyOf(prefixes);
      int shared = prefixes.stream().mapToInt(SharedPrefix::tokens).sum();
      if (tokens < 1 || shared > tokens) {
        throw new IllegalArgumentException(
            "prompt of " + tokens + " tokens cannot hold prefixes of " + shared);
      }
    }

    /** A prompt that shares nothing. */
    public static Synthetic unique(int tokens) {
      return new Synthetic(tokens, List.of());
    }
  }

  /**
   * Given text, from a data set.
   *
   * @param messages the conversation so far, the last one to be answered; at least one
   */
  record Text(List<Message> messages) implements Prompt {
    public Text {
      messages = List.copyOf(messages);
      if (messages.isEmpty()) {
        throw new IllegalArgumentException("a text prompt needs at least one message");
      }
    }
  }

  /** One message of a conversation. */
  record Message(String role, String content) {}
}
