package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.scenario.Dataset.Message;

/**
 * ShareGPT: a JSON list of objects with {@code conversations}, a list of {@code from} and {@code
 * value}.
 *
 * <p>Each human message that is answered is a turn. The answer's text is only used for its length:
 * its characters divided by {@value #CHARACTERS_PER_TOKEN}, which is a choice of the plan, not a
 * measurement; {@code output_tokens} of the workload replaces it. Conversations without an answered
 * question are passed over, as other tools do; a blank question ends its conversation.
 */
final class ShareGptFormat {
  static final int CHARACTERS_PER_TOKEN = 4;

  private ShareGptFormat() {}

  static List<Dataset.Entry> read(DataFile file) {
    return file.jsonList(ShareGptFormat::entry);
  }

  private static Optional<Dataset.Entry> entry(JsonNode object, SourceLocation origin) {
    JsonNode conversations = object.path("conversations");
    if (!conversations.isArray()) {
      throw origin.error("\"conversations\" is no list", "mend or remove the entry");
    }
    List<Dataset.Turn> turns = new ArrayList<>();
    List<Message> asked = new ArrayList<>();
    for (JsonNode message : conversations) {
      Message next = message(message, origin);
      if (next.role().equals("user") && next.content().isBlank()) {
        break;
      }
      if (!next.role().equals("assistant")) {
        asked.add(next);
      } else if (asked.stream().anyMatch(m -> m.role().equals("user"))) {
        turns.add(new Dataset.Text(asked, answerTokens(next.content())));
        asked = new ArrayList<>();
      }
    }
    return turns.isEmpty()
        ? Optional.empty()
        : Optional.of(new Dataset.Entry(Dataset.NO_TIME, turns));
  }

  private static Message message(JsonNode message, SourceLocation origin) {
    JsonNode from = message.path("from");
    JsonNode value = message.path("value");
    if (!from.isTextual() || !value.isTextual()) {
      throw origin.error(
          "a message lacks \"from\" or \"value\"", "mend or remove the entry");
    }
    String role =
        switch (from.asText().toLowerCase(Locale.ROOT)) {
          case "human", "user" -> "user";
          case "gpt", "chatgpt", "assistant", "bing", "bard" -> "assistant";
          case "system" -> "system";
          default -> throw origin.error(
              "a message is from \"" + from.asText() + "\"", "write human, gpt or system");
        };
    return new Message(role, value.asText());
  }

  private static int answerTokens(String answer) {
    long characters = answer.codePointCount(0, answer.length());
    long tokens = (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN;
    return (int) Math.max(1, Math.min(Lengths.MOST, tokens));
  }
}
