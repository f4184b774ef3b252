package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.Dataset.Message;

/**
 * Plain JSONL: one object a line with one of {@code prompt} (text), {@code messages} (role and
 * content) or {@code prompt_tokens} (a made-up prompt of that length), then {@code max_tokens} and
 * {@code at}, the start in seconds.
 */
final class JsonlFormat {
  private static final List<String> KEYS =
      List.of("prompt", "messages", "prompt_tokens", "max_tokens", "at");

  private static final String LENGTH = "write max_tokens: how long the answer is";
  private static final String BATCH =
      "a line of a batch holds its request in body: write that alone, {\"messages\": […],"
          + " \"max_tokens\": 20}";

  /** What other tools and APIs call it → what to write here. */
  private static final Map<String, String> FOREIGN =
      Map.ofEntries(
          Map.entry("output_tokens", LENGTH),
          Map.entry("output_len", LENGTH),
          Map.entry("output_length", LENGTH),
          Map.entry("expected_output_len", LENGTH),
          Map.entry("max_completion_tokens", LENGTH),
          Map.entry("max_new_tokens", LENGTH),
          Map.entry("completion_tokens", LENGTH),
          Map.entry("input_length", "write prompt_tokens"),
          Map.entry("input_tokens", "write prompt_tokens"),
          Map.entry("prompt_len", "write prompt_tokens"),
          Map.entry("timestamp", "write at: the start in seconds"),
          Map.entry("body", BATCH),
          Map.entry("conversation", "write messages: [{\"role\": \"user\", \"content\": …}]"),
          Map.entry("conversations", "write format: sharegpt for the file"));

  private JsonlFormat() {}

  /**
   * Reads the file.
   *
   * @param needsOutput whether every entry must say {@code max_tokens}
   */
  static List<Dataset.Entry> read(DataFile file, boolean needsOutput) {
    return file.jsonLines((object, origin) -> Optional.of(entry(object, needsOutput, origin)));
  }

  private static Dataset.Entry entry(JsonNode object, boolean needsOutput, SourceLocation origin) {
    refuseUnknown(object, origin);
    long contents =
        List.of("prompt", "messages", "prompt_tokens").stream().filter(object::has).count();
    if (contents != 1) {
      throw origin.error(
          contents == 0 ? "the entry asks nothing" : "the entry asks in " + contents + " ways",
          "write one of prompt, messages and prompt_tokens");
    }
    if (needsOutput && !object.has("max_tokens")) {
      throw origin.error(
          "\"max_tokens\" is missing", "write it here, or output_tokens in the workload");
    }
    int outputTokens =
        object.has("max_tokens") ? DataFile.count(object, "max_tokens", 1, origin) : 0;
    long at =
        object.has("at")
            ? DataFile.nanos(object.path("at"), 1e9, "at", origin)
            : Dataset.NO_TIME;
    return new Dataset.Entry(at, List.of(turn(object, outputTokens, origin)));
  }

  /** Of several that are unknown, one that tells what the line was written for says most. */
  private static void refuseUnknown(JsonNode object, SourceLocation origin) {
    List<String> unknown = new ArrayList<>();
    object.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(KEYS);
    if (!unknown.isEmpty()) {
      String key =
          unknown.stream().filter(FOREIGN::containsKey).findFirst().orElse(unknown.getFirst());
      String remedy = FOREIGN.getOrDefault(key, NearestKey.remedy(key, KEYS));
      throw origin.error("unknown key \"" + key + "\"", remedy);
    }
  }

  private static Dataset.Turn turn(JsonNode object, int outputTokens, SourceLocation origin) {
    if (object.has("prompt_tokens")) {
      return new Dataset.Tokens(
          DataFile.count(object, "prompt_tokens", 1, origin), List.of(), outputTokens);
    }
    if (object.has("prompt")) {
      return new Dataset.Text(
          List.of(new Message("user", text(object.path("prompt"), "prompt", origin))),
          outputTokens);
    }
    List<Message> messages = new ArrayList<>();
    for (JsonNode message : object.path("messages")) {
      messages.add(
          new Message(
              text(message.path("role"), "role", origin),
              text(message.path("content"), "content", origin)));
    }
    if (messages.isEmpty()) {
      throw origin.error("\"messages\" holds no message", "write [{\"role\": \"user\", …}]");
    }
    return new Dataset.Text(messages, outputTokens);
  }

  private static String text(JsonNode value, String field, SourceLocation origin) {
    if (!value.isTextual() || value.asText().isEmpty()) {
      throw origin.error("\"" + field + "\" must be text", "mend or remove the entry");
    }
    return value.asText();
  }
}
