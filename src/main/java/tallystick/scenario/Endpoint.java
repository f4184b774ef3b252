package tallystick.scenario;

/** The OpenAI-compatible API a request goes to. */
public enum Endpoint {
  COMPLETIONS("completions"),
  CHAT_COMPLETIONS("chat/completions");

  private final String word;

  Endpoint(String word) {
    this.word = word;
  }

  /** The word a scenario uses: {@code completions} or {@code chat/completions}. */
  public String word() {
    return word;
  }

  /** The path under a target's base URL, for example {@code /v1/completions}. */
  public String path() {
    return "/v1/" + word;
  }
}
