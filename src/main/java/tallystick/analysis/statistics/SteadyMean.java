package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

/**
 * The mean of a steady series with an interval that allows for neighbours being alike: the series
 * is cut into batches so long that their means hardly follow one another, and the means' spread is
 * taken. Bursts make that spread lopsided: a series without one has a low mean and a small spread
 * at once. Hall's transformation of the t statistic allows for the skewness.
 */
public final class SteadyMean {
  /** More batches than this are short beside the autocorrelation of a queue. */
  private static final int MOST = 60;

  /** Schmeiser 1982: below 10 batches an interval's width is unsure itself. */
  private static final int FEWEST = 10;

  /** Batch means that follow one another more than this are too short. */
  private static final double INDEPENDENT = 0.3;

  /** So much of the skewness do few batches of a series with rare bursts show too little. */
  private static final double UNSEEN_SKEWNESS = 1.5;

  private static final double ROUNDING = 1e-12; // Differences below the rounding of sums are none

  /** Below this the transformation is the identity to the last digits. */
  private static final double SYMMETRIC = 1e-6;

  private SteadyMean() {}

  /**
   * The mean of what is left of a series of durations after its beginning.
   *
   * @param means means of equally many observations, in the order of the series
   * @param cut how many of them belong to the beginning
   */
  public static Interval of(double[] means, int cut) {
    double[] steady = Arrays.copyOfRange(means, cut, means.length);
    double mean = Arrays.stream(steady).average().orElse(Double.NaN);
    for (int batches = Math.min(MOST, steady.length); batches >= FEWEST; batches--) {
      double[] batched = batched(steady, batches);
      double correlation = autocorrelation(batched);
      if (correlation <= INDEPENDENT) {
        return interval(mean, batched, Math.max(0, correlation));
      }
    }
    Figure none =
        Figure.missing(
            steady.length < FEWEST
                ? steady.length + " batches, need " + FEWEST
                : "neighbouring batches are alike: the phase is too short");
    return new Interval(Figure.of(mean), none, none);
  }

  private static double[] batched(double[] series, int batches) {
    double[] means = new double[batches];
    for (int i = 0; i < batches; i++) {
      int from = (int) ((long) series.length * i / batches);
      int to = (int) ((long) series.length * (i + 1) / batches);
      means[i] = Arrays.stream(series, from, to).average().orElseThrow();
    }
    return means;
  }

  /** Lag-1 autocorrelation; 0 for a constant series. */
  static double autocorrelation(double[] series) {
    double mean = Arrays.stream(series).average().orElse(0);
    double squares = 0;
    double products = 0;
    for (int i = 0; i < series.length; i++) {
      double deviation = series[i] - mean;
      squares += deviation * deviation;
      products += i == 0 ? 0 : deviation * (series[i - 1] - mean);
    }
    return squares == 0 ? 0 : products / squares;
  }

  private static Interval interval(double mean, double[] batched, double correlation) {
    int n = batched.length;
    double squares = 0;
    double cubes = 0;
    for (double value : batched) {
      double deviation = value - mean;
      squares += deviation * deviation;
      cubes += deviation * deviation * deviation;
    }
    double deviation = Math.sqrt(squares / (n - 1));
    if (deviation <= ROUNDING * mean) {
      return Interval.of(mean, mean, mean);
    }
    double skewness = cubes / n / Math.pow(squares / n, 1.5) * Math.sqrt(n * (n - 1.0)) / (n - 2);
    double allowedFor = UNSEEN_SKEWNESS * skewness;
    double t = new TDistribution(null, n - 1).inverseCumulativeProbability(0.975);
    double reach = t * Math.sqrt((1 + correlation) / (1 - correlation) / n);
    return Interval.of(
        mean,
        Math.max(0, mean - deviation * untransformed(reach, allowedFor, n)),
        mean - deviation * untransformed(-reach, allowedFor, n));
  }

  /** The inverse of Hall's transformation, in standard deviations of a batch. */
  private static double untransformed(double reach, double skewness, int n) {
    return Math.abs(skewness) < SYMMETRIC
        ? reach
        : 3 / skewness * (Math.cbrt(1 + skewness * (reach - skewness / (6 * n))) - 1);
  }
}
