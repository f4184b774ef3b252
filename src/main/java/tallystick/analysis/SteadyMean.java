package tallystick.analysis;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The mean of a steady series with an interval that allows for neighbours being alike: the series
 * is cut into batches so long that their means no longer follow one another, and the means' spread
 * is taken.
 */
final class SteadyMean {
  private static final int MOST = 30;
  private static final int FEWEST = 10;

  /** Batch means that follow one another more than this are too short. */
  private static final double INDEPENDENT = 0.3;

  private SteadyMean() {}

  /**
   * The mean of what is left of a series after its transient.
   *
   * @param means means of equally many observations, in the order of the series
   * @param cut how many of them belong to the transient
   */
  static Interval of(double[] means, int cut) {
    double[] steady = Arrays.copyOfRange(means, cut, means.length);
    double mean = Arrays.stream(steady).average().orElse(Double.NaN);
    for (int batches = Math.min(MOST, steady.length); batches >= FEWEST; batches--) {
      double[] batched = batched(steady, batches);
      if (autocorrelation(batched) <= INDEPENDENT) {
        return interval(mean, batched);
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

  private static Interval interval(double mean, double[] batched) {
    double squares =
        Arrays.stream(batched).map(value -> (value - mean) * (value - mean)).sum();
    double deviation = Math.sqrt(squares / (batched.length - 1));
    double t = new TDistribution(null, batched.length - 1).inverseCumulativeProbability(0.975);
    double half = t * deviation / Math.sqrt(batched.length);
    return Interval.of(mean, mean - half, mean + half);
  }
}
