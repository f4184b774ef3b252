package tallystick.simengine;

/**
 * Speculative decoding: a drafter guesses tokens, the model checks them all in one step and keeps
 * those before the first wrong one, and one of its own.
 *
 * @param tokens drafted for each sequence and step ({@code num_speculative_tokens}); 0 turns it off
 * @param acceptance chance that a drafted token is right, given that all before it were
 */
public record Speculation(int tokens, double acceptance) {
  private static final int MOST_TOKENS = 64; // a bound on a step's work

  public Speculation {
    if (tokens < 0 || tokens > MOST_TOKENS) {
      throw new IllegalArgumentException(
          "speculative-tokens must be between 0 and " + MOST_TOKENS + ", was " + tokens);
    }
    if (!(acceptance >= 0 && acceptance <= 1)) {
      throw new IllegalArgumentException(
          "acceptance must be between 0 and 1, was " + acceptance);
    }
  }

  boolean isOn() {
    return tokens > 0;
  }
}
