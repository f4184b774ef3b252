package tallystick.scenario;

/** The field of a request body that bounds the length of an answer. */
public enum TokenLimit {
  /** What completions and most servers take. */
  MAX_TOKENS("max_tokens"),
  /** What newer chat servers take instead. */
  MAX_COMPLETION_TOKENS("max_completion_tokens");

  /** What {@code /v1/responses} takes, whatever is set. */
  public static final String OF_RESPONSES = "max_output_tokens";

  private final String field;

  TokenLimit(String field) {
    this.field = field;
  }

  /** The field's name, which a scenario uses too. */
  public String field() {
    return field;
  }
}
