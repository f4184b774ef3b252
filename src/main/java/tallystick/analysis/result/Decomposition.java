package tallystick.analysis.result;

import java.util.List;

/**
 * A client latency taken apart into means that add up, from the intended start on; a waterfall.
 *
 * @param quantity what is taken apart
 * @param available whether both sides saw the same requests, so that means may be subtracted
 * @param absence why not; empty when available
 * @param whole mean of the client's latency from the intended start, in seconds
 * @param parts in the order of time
 * @param stamp what the ledger says of both sides
 */
public record Decomposition(
    Whole quantity,
    boolean available,
    String absence,
    Interval whole,
    List<Part> parts,
    Stamp stamp) {

  /** What is taken apart. */
  public enum Whole implements Choice {
    TTFT,
    E2E,
    /** TTFT by what the engine told of each request. */
    TTFT_BY_REQUEST
  }

  /**
   * One part of the wait.
   *
   * @param name which
   * @param mean mean in seconds with a 95 % confidence interval over time batches
   * @param source what it was computed from
   */
  public record Part(WaitPart name, Interval mean, String source) {}

  public Decomposition {
    parts = List.copyOf(parts);
  }

  /** No decomposition, and why. */
  public static Decomposition absent(Whole quantity, String why) {
    return new Decomposition(quantity, false, why, Interval.missing(why), List.of(), Stamp.NONE);
  }
}
