package tallystick.simengine;

import java.util.Optional;

/**
 * New output of one choice on its way to the client.
 *
 * @param choice which of the request's continuations, from 0
 * @param tokens new token ids, at least one unless the choice was aborted
 * @param text their text
 * @param cachedTokens prompt tokens that were found in the cache
 * @param ending how the choice ended; empty while it goes on
 */
record Delivery(
    int choice, int[] tokens, String text, int cachedTokens, Optional<Ending> ending) {

  /**
   * How a choice ended.
   *
   * @param reason why
   * @param stopReason what ended it, as JSON: a stop string, the id of a stop token, or null
   * @param times its moments
   * @param generatedTokens tokens it got
   */
  record Ending(FinishReason reason, String stopReason, RequestTimes times, int generatedTokens) {}

  /** This delivery with a later one of the same choice added to its end. */
  Delivery merge(Delivery later) {
    int[] both = java.util.Arrays.copyOf(tokens, tokens.length + later.tokens.length);
    System.arraycopy(later.tokens, 0, both, tokens.length, later.tokens.length);
    return new Delivery(choice, both, text + later.text, cachedTokens, later.ending);
  }
}
