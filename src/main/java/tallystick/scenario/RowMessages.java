package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.scenario.Dataset.Message;

/**
 * Reads what a row asks: a text, the messages of one request, or a whole dialogue.
 *
 * <p>Each question of a dialogue that is answered is a turn. The answer's text is only used for its
 * length: its characters divided by {@value #CHARACTERS_PER_TOKEN}, which is a choice of the plan,
 * not a measurement; {@code output_tokens} of the workload replaces it. A blank question ends its
 * dialogue.
 */
final class RowMessages {
  static final int CHARACTERS_PER_TOKEN = 4;

  private RowMessages() {}

  /** The messages of one request. */
  static List<Message> ofRequest(DataRow.Cell cell) {
    if (!cell.value().isContainerNode()) {
      return List.of(new Message("user", cell.text()));
    }
    List<Message> messages = new ArrayList<>();
    for (JsonNode message : cell.value()) {
      String content = content(message.path("content"), cell).orElse("");
      messages.add(new Message(message.path("role").asText(), content));
      if (content.isEmpty() || !message.path("role").isTextual()) {
        String lacks = content.isEmpty() ? "content" : "role";
        throw cell.noText('"' + lacks + '"', message.path(lacks));
      }
    }
    if (messages.isEmpty()) {
      throw cell.row().origin().error(
          cell.shown() + " has no message", "write [{\"role\": \"user\", …}]");
    }
    return messages;
  }

  /** The answered questions of a dialogue; may be empty. */
  static List<Dataset.Turn> ofDialogue(DataRow.Cell cell) {
    if (!cell.value().isArray()) {
      throw cell.row().origin().error(cell.shown() + " is not a list", "fix or remove the entry");
    }
    List<Dataset.Turn> turns = new ArrayList<>();
    List<Message> asked = new ArrayList<>();
    for (JsonNode message : cell.value()) {
      Message next = spoken(message, cell);
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
    return turns;
  }

  /** Whether a list of messages holds answers too, and was not written to be sent as it is. */
  static boolean isDialogue(JsonNode value) {
    JsonNode last = value.isArray() && !value.isEmpty() ? value.get(value.size() - 1) : value;
    return last.has("from") || last.path("role").asText().equals("assistant");
  }

  private static Message spoken(JsonNode message, DataRow.Cell cell) {
    boolean isChat = message.has("role");
    JsonNode from = message.path(isChat ? "role" : "from");
    Optional<String> text = content(message.path(isChat ? "content" : "value"), cell);
    if (!from.isTextual() || text.isEmpty()) {
      throw cell.row().origin().error(
          "a message lacks \"from\" or \"value\"", "fix or remove the entry");
    }
    String role =
        switch (from.asText().toLowerCase(Locale.ROOT)) {
          case "human", "user" -> "user";
          case "gpt", "chatgpt", "assistant", "bing", "bard" -> "assistant";
          case "system" -> "system";
          default -> throw cell.row().origin().error(
              "a message is from \"" + from.asText() + "\"", "write human, gpt or system");
        };
    return new Message(role, text.get());
  }

  /** A text, or the texts of a list of parts; empty where it is neither. */
  private static Optional<String> content(JsonNode value, DataRow.Cell cell) {
    if (!value.isArray()) {
      return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode part : value) {
      if (!part.path("text").isTextual()) {
        throw new LeftOut(
            "with a part that is not text (" + part.path("type").asText("no text") + ")");
      }
      texts.add(part.path("text").asText());
    }
    return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", texts));
  }

  private static int answerTokens(String answer) {
    long characters = answer.codePointCount(0, answer.length());
    long tokens = (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN;
    return (int) Math.max(1, Math.min(Lengths.MOST, tokens));
  }

  /** A row is left out, and counted by why: it asks nothing that a request here can. */
  static final class LeftOut extends RuntimeException {
    LeftOut(String reason) {
      super(reason, null, false, false);
    }
  }
}
