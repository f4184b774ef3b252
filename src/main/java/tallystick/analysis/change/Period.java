package tallystick.analysis.change;

import tallystick.analysis.statistics.BinnedCounts;

/**
 * A period of a run as the interpretation sees it: each signal as counts per unit of time, and
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
public record Period(
    String name,
    BinnedCounts clientTtft,
    BinnedCounts clientGaps,
    BinnedCounts engineTtft,
    BinnedCounts engineItl,
    BinnedCounts queue,
    PeriodSums sums) {

  /** The same period under another name. */
  public Period named(String newName) {
    return new Period(newName, clientTtft, clientGaps, engineTtft, engineItl, queue, sums);
  }
}
