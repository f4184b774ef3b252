package tallystick.analysis.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import tallystick.analysis.result.Interval;

/**
 * Circular block bootstrap with a stored seed: blocks keep the rhythm of a series. The random
 * numbers are SplitMix64's, so that any other program can repeat them.
 */
public final class BlockBootstrap {
  /** Resamples of every interval: 2.5 and 97.5 % of 1,000 are whole ranks. */
  public static final int RESAMPLES = 999;

  /** The seed of every interval in a report. */
  public static final long SEED = 20240501;

  private final SplittableRandom random;

  public BlockBootstrap(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A number in 0..bound-1: the high word of the next random number times the bound. */
  public int index(int bound) {
    return (int) Math.unsignedMultiplyHigh(random.nextLong(), bound);
  }

  /** As many positions as there are things, each drawn by itself. */
  public int[] positions(int length) {
    return positions(length, 1);
  }

  /** Positions of one resample of {@code length} observations in blocks of {@code block}. */
  public int[] positions(int length, int block) {
    int[] positions = new int[length];
    for (int filled = 0; filled < length; filled += block) {
      int start = index(length);
      for (int i = 0; i < block && filled + i < length; i++) {
        positions[filled + i] = (start + i) % length;
      }
    }
    return positions;
  }

  /** A statistic over every resample, sorted. */
  double[] distribution(int length, int block, ToDoubleFunction<int[]> statistic) {
    double[] values = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      values[i] = statistic.applyAsDouble(positions(length, block));
    }
    Arrays.sort(values);
    return values;
  }

  /** The 90 % interval of an estimate, from what resamples gave; none where one gave nothing. */
  public static Interval interval(double estimate, double[] resampled, String whyNot) {
    double[] sorted = Arrays.stream(resampled).filter(Double::isFinite).sorted().toArray();
    return sorted.length < resampled.length || !Double.isFinite(estimate)
        ? Interval.missing(whyNot)
        : Interval.of(estimate, quantile(sorted, 0.05), quantile(sorted, 0.95));
  }

  /** The order statistic {@code (B + 1) q} of B sorted values; the first or last one beyond. */
  public static double quantile(double[] sorted, double level) {
    int rank = (int) Math.round((sorted.length + 1) * level);
    return sorted[Math.max(1, Math.min(sorted.length, rank)) - 1];
  }
}
