package tallystick.simengine;

/**
 * Speculative decoding: a drafter guesses tokens, the model checks them all in one step and keeps
 * those before the first wrong one, and one of its own.
 *
 * @param tokens drafted for each sequence and step ({@code num_speculative_tokens}); 0 turns it off
 * @param acceptance chance that a drafted token is right, given that all before it were
 */
public record Speculation(int tokens, double acceptance) {
  boolean isOn() {
    return tokens > 0;
  }
}
