package tallystick.analysis.result;

import java.util.List;

/**
 * A client latency taken apart into means that add up, from the intended start on; a waterfall.
 *
 * @param quantity ttft or e2e
 * @param available whether both sides saw the same requests, so that means may be subtracted
 * @param absence why not; empty when available
 * @param whole mean of the client's latency from the intended start, in seconds
 * @param parts in the order of time
 * @param stamp {@code unreconciled} where the ledger says that the two accounts do not agree
 */
public record Decomposition(
    String quantity,
    boolean available,
    String absence,
    Interval whole,
    List<Part> parts,
    String stamp) {

  /**
   * One part of the wait.
   *
   * @param name lateness, connect, tls, write, outside, api_server, queue, prefill or decode
   * @param mean mean in seconds with a 95 % confidence interval over time batches
   * @param source what it was computed from
   */
  public record Part(String name, Interval mean, String source) {}

  public Decomposition {
    parts = List.copyOf(parts);
  }

  /** No decomposition, and why. */
  public static Decomposition absent(String quantity, String why) {
    return new Decomposition(quantity, false, why, Interval.missing(why), List.of(), "");
  }
}
