package tallystick.analysis.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * So many good things of so many, worth a count of independent ones: the one door to "is a share of
 * them good?". The exact binomial test (Clopper and Pearson), continued to counts that are not
 * whole. Because a percentile lies within a limit exactly if its share of samples does, the ends of
 * a percentile's interval are found by the same test.
 *
 * @param good good things
 * @param judged all judged things, above 0
 * @param worth how many independent things the judged ones are worth, at least 1
 */
public record GoodShare(double good, double judged, double worth) {
  private static final int HALVINGS = 60; // More than a double has bits: the root is exact

  public GoodShare {
    if (!(judged > 0 && worth > 0)) {
      throw new IllegalArgumentException(
          "a share needs things, was %s of %s worth %s".formatted(good, judged, worth));
    }
  }

  /**
   * Whether so many good ones would come with a chance of at most {@code tail} if no more than
   * {@code share} were good.
   */
  public boolean reaches(double share, double tail) {
    double count = count();
    return count > 0 && atLeast(share, count) <= tail;
  }

  /**
   * Whether so few good ones would come with a chance of at most {@code tail} if {@code share} were
   * good.
   */
  public boolean misses(double share, double tail) {
    double count = count();
    return count < worth && 1 - atLeast(share, count + 1) <= tail;
  }

  /** The share with its two-sided interval. */
  public Proportion interval(double confidence) {
    double tail = (1 - confidence) / 2;
    double low = 0;
    double high = 1;
    double top = 1;
    double bottom = 0;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + top) / 2;
      if (reaches(middle, tail)) {
        low = middle;
      } else {
        top = middle;
      }
      double other = (bottom + high) / 2;
      if (misses(other, tail)) {
        high = other;
      } else {
        bottom = other;
      }
    }
    return new Proportion(low, high);
  }

  /** Good ones among the independent things. */
  private double count() {
    return Math.min(worth, good / judged * worth);
  }

  /** Chance of {@code count} or more good ones if {@code share} are good. */
  private double atLeast(double share, double count) {
    if (worth <= Integer.MAX_VALUE) {
      return Beta.regularizedBeta(share, count, worth - count + 1);
    }
    // Beyond two thousand million things the normal approximation is exact to a rank in 10^4.
    double deviation = Math.sqrt(worth * share * (1 - share));
    return 1
        - new NormalDistribution(null, worth * share, deviation)
            .cumulativeProbability(count - 0.5);
  }
}
