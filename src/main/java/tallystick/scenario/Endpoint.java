package tallystick.scenario;

/** The OpenAI-compatible API a request goes to. */
public enum Endpoint {
  COMPLETIONS("completions"),
  CHAT_COMPLETIONS("chat/completions"),
  RESPONSES("responses");

  private final String word;

  Endpoint(String word) {
    this.word = word;
  }

  /** Whether it takes messages, which the server puts into its chat template. */
  public boolean takesMessages() {
    return this != COMPLETIONS;
  }

  /** The word a scenario uses, for example {@code chat/completions}. */
  public String word() {
    return word;
  }

  /** The path under a target's base URL, for example {@code /v1/completions}. */
  public String path() {
    return "/v1/" + word;
  }
}
