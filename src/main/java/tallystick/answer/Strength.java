package tallystick.answer;

/** How sure an answer is that it would come out the same again. */
public enum Strength {
  /** At least 95 % sure. */
  SURE("sure"),
  /** At least 75 % sure. */
  LIKELY("likely"),
  /** Less. */
  TOO_CLOSE("too close to call");

  private final String words;

  Strength(String words) {
    this.words = words;
  }

  /** As a reader is told. */
  public String words() {
    return words;
  }
}
