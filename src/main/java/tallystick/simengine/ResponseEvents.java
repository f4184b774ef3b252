package tallystick.simengine;

/**
 * An answer by {@code /v1/responses}, in events or whole, as far as a client reads tokens and
 * counts from it, in vLLM's shape.
 */
final class ResponseEvents {
  private final String id;
  private final String model;
  private int sequence;

  ResponseEvents(String id, String model) {
    this.id = id;
    this.model = model;
  }

  /** Tokens of an answer and of its prompt. */
  record Counts(int prompt, int cached, int completion, int thinking) {}

  /** What comes before the first token. */
  String begin() {
    String begun = "\"response\":" + whole("in_progress", "null", "[]", "null");
    return event("response.created", begun) + event("response.in_progress", begun);
  }

  /** A piece of the answer, or of the thinking before it. */
  String delta(Delivery delivery, boolean isThinking) {
    return event(
        isThinking ? "response.reasoning_text.delta" : "response.output_text.delta",
        "\"content_index\":0,\"delta\":" + Json.quoted(delivery.text()) + ",\"output_index\":"
            + (isThinking ? 0 : 1));
  }

  /** The end, with the counts. */
  String end(Counts counts, Delivery.Ending ending) {
    return event("response.completed", "\"response\":" + ended(counts, ending, "[]"));
  }

  /** The body of an answer that is not streamed. */
  String body(String text, Counts counts, Delivery.Ending ending) {
    String message =
        "[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
            + "\"annotations\":[],\"text\":" + Json.quoted(text) + "}]}]";
    return ended(counts, ending, message);
  }

  private String ended(Counts counts, Delivery.Ending ending, String output) {
    boolean isCut = ending.reason().label().equals("length");
    String usage =
        "{\"input_tokens\":" + counts.prompt() + ",\"input_tokens_details\":{\"cached_tokens\":"
            + counts.cached() + "},\"output_tokens\":" + counts.completion()
            + ",\"output_tokens_details\":{\"reasoning_tokens\":" + counts.thinking()
            + "},\"total_tokens\":" + (counts.prompt() + counts.completion()) + "}";
    String incomplete = isCut ? "{\"reason\":\"max_output_tokens\"}" : "null";
    return whole(isCut ? "incomplete" : "completed", incomplete, output, usage);
  }

  private String whole(String status, String incomplete, String output, String usage) {
    return "{\"id\":" + Json.quoted(id) + ",\"incomplete_details\":" + incomplete
        + ",\"model\":" + Json.quoted(model) + ",\"object\":\"response\",\"output\":" + output
        + ",\"status\":\"" + status + "\",\"usage\":" + usage + "}";
  }

  private String event(String type, String fields) {
    return "event: " + type + "\ndata: {" + fields + ",\"sequence_number\":" + sequence++
        + ",\"type\":\"" + type + "\"}\n\n";
  }
}
