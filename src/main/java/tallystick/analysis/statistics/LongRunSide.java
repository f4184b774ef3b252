package tallystick.analysis.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * How sure it is that a share of requests would keep a limit in the long run, or would miss it,
 * as it did in this run. Two kinds of evidence, each too shy alone: how many were good (a Beta
 * posterior with Jeffreys' prior, of as many as are worth independent ones), and how far the limit
 * lies from the percentile at the wanted share. Their normal scores are averaged: both come from
 * one run, so neither adds to the other. Monotone in the limit, because both are.
 *
 * @param share good things of those judged
 * @param percentile the percentile at the wanted share
 * @param wanted the wanted share, below 1
 */
public record LongRunSide(GoodShare share, SectionedPercentile percentile, double wanted) {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** Jeffreys' prior for a proportion (Brown, Cai, DasGupta 2001). */
  private static final double JEFFREYS = 0.5;

  /** Chances nearer to 0 or 1 are beyond what any run knows. */
  private static final double LEAST = 1e-12;

  /**
   * Distance alone never makes it sure: a stall that this run did not meet lies beyond any
   * distance. With so many normal errors at most, the counts must make it likely by themselves.
   */
  private static final double MOST_OF_DISTANCE = 2.5;

  /** Whether this run kept it. */
  public boolean isKept() {
    return share.good() >= wanted * share.judged() - 1e-9;
  }

  /** How sure its side is, from one half, which is no evidence at all, up. */
  public double probability(long limitNanos) {
    return probability(limitNanos, 1);
  }

  /** The same, if a run so many times as long went on like this one. */
  public double probability(long limitNanos, double times) {
    double worth = share.worth() * times;
    double bad = Math.max(0, 1 - share.good() / share.judged()) * worth;
    double kept = Beta.regularizedBeta(1 - wanted, bad + JEFFREYS, worth - bad + JEFFREYS);
    // What is too little to count for its own side is no evidence against it.
    double counted = Math.max(0.5, isKept() ? kept : 1 - kept);
    return percentile.isEndless()
        ? counted
        : NORMAL.cumulativeProbability(
            (score(counted) + Math.min(MOST_OF_DISTANCE, score(percentile.side(limitNanos, times))))
                / 2);
  }

  private static double score(double chance) {
    return NORMAL.inverseCumulativeProbability(Math.clamp(chance, LEAST, 1 - LEAST));
  }
}
