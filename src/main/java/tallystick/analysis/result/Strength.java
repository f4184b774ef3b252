package tallystick.analysis.result;

/** How sure an answer is: would it come out the same again, and longer, at the same load? */
public enum Strength implements Choice {
  /** At least 95 % sure. */
  SURE,
  /** At least 75 % sure. */
  LIKELY,
  /** Less. */
  TOO_CLOSE {
    @Override
    public String words() {
      return "too close to call";
    }
  };

  /** One time in twenty such an answer is wrong. */
  public static final double SURE_FROM = 0.95;

  /** One time in four such an answer is wrong. */
  public static final double LIKELY_FROM = 0.75;

  /** The strength of an answer that holds with a probability. */
  public static Strength of(double probability) {
    if (probability >= SURE_FROM) {
      return SURE;
    }
    return probability >= LIKELY_FROM ? LIKELY : TOO_CLOSE;
  }
}
