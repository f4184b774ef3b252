package tallystick.alerting.derivation;

import java.util.SplittableRandom;

/** Draws with replacement; the same seed draws the same. One generator for all resamples. */
final class Resampler {
  /** Resamples of every bootstrap: the percentiles are then order statistics. */
  static final int RESAMPLES = 999;

  private final SplittableRandom random;

  Resampler(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A number from 0 to {@code count - 1}. */
  int index(int count) {
    return (int) Math.unsignedMultiplyHigh(random.nextLong(), count);
  }

  /** As many indexes as there are things. */
  int[] indexes(int count) {
    int[] drawn = new int[count];
    for (int i = 0; i < count; i++) {
      drawn[i] = index(count);
    }
    return drawn;
  }

  /** The order statistic of rank {@code (size + 1) * level} of sorted values. */
  static double percentile(double[] sorted, double level) {
    int rank = (int) Math.round((sorted.length + 1) * level);
    return sorted[Math.max(1, Math.min(sorted.length, rank)) - 1];
  }
}
