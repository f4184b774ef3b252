package tallystick.analysis.change;

import tallystick.analysis.statistics.BinnedCounts;

/**
 * A stretch of a run as the interpretation sees it: each signal as counts per unit of time, and
 * both sides' sums beside them.
 *
 * @param name in words
 * @param clientTtft client TTFT from the intended start
 * @param clientGaps client chunk gaps
 * @param engineTtft the engine's TTFT buckets
 * @param engineItl the engine's gap buckets
 * @param queue the engine's queue-time buckets
 * @param sums both sides per scrape interval
 */
public record Stretch(
    String name,
    BinnedCounts clientTtft,
    BinnedCounts clientGaps,
    BinnedCounts engineTtft,
    BinnedCounts engineItl,
    BinnedCounts queue,
    StretchSums sums) {

  /** The same stretch under another name. */
  public Stretch named(String newName) {
    return new Stretch(newName, clientTtft, clientGaps, engineTtft, engineItl, queue, sums);
  }
}
