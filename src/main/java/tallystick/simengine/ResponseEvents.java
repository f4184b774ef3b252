package tallystick.simengine;

/**
 * The events of a streamed answer by {@code /v1/responses}, as far as a client reads tokens and
 * counts from them, in vLLM's shape.
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
    return event("response.created", whole("in_progress", "null", "null"))
        + event("response.in_progress", whole("in_progress", "null", "null"));
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
    boolean isCut = ending.reason().label().equals("length");
    String usage =
        "{\"input_tokens\":" + counts.prompt() + ",\"input_tokens_details\":{\"cached_tokens\":"
            + counts.cached() + "},\"output_tokens\":" + counts.completion()
            + ",\"output_tokens_details\":{\"reasoning_tokens\":" + counts.thinking()
            + "},\"total_tokens\":" + (counts.prompt() + counts.completion()) + "}";
    return event(
        "response.completed",
        whole(
            isCut ? "incomplete" : "completed",
            isCut ? "{\"reason\":\"max_output_tokens\"}" : "null", usage));
  }

  private String whole(String status, String incomplete, String usage) {
    return "\"response\":{\"id\":" + Json.quoted(id) + ",\"incomplete_details\":" + incomplete
        + ",\"model\":" + Json.quoted(model) + ",\"object\":\"response\",\"output\":[]"
        + ",\"status\":\"" + status + "\",\"usage\":" + usage + "}";
  }

  private String event(String type, String fields) {
    return "event: " + type + "\ndata: {" + fields + ",\"sequence_number\":" + sequence++
        + ",\"type\":\"" + type + "\"}\n\n";
  }
}
