package tallystick.analysis.statistics;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Least-squares trend of batch means of requests in flight.
 *
 * @param slopePerSecond requests gained per second
 * @param pValue one-sided, that the slope is not above 0
 * @param relativeGrowth slope times the whole length over the mean
 * @param gained slope times the whole length
 */
public record GrowthTrend(
    double slopePerSecond, double pValue, double relativeGrowth, double gained) {
  /** Batches of the test. */
  public static final int BATCHES = 12;

  /** Of 100 steady queues one is called growing, and only if it also grew by half. */
  private static final double P_LIMIT = 0.01;

  /** What grew by less than half of its mean is not called unstable. */
  private static final double GROWTH_LIMIT = 0.5;

  /** The trend of batch means, each over so many seconds. */
  public static GrowthTrend of(double[] batchMeans, double batchSeconds) {
    SimpleRegression regression = new SimpleRegression(true);
    double sum = 0;
    for (int i = 0; i < batchMeans.length; i++) {
      regression.addData(i * batchSeconds, batchMeans[i]);
      sum += batchMeans[i];
    }
    double slope = regression.getSlope();
    double error = regression.getSlopeStdErr();
    double mean = sum / batchMeans.length;
    double gained = slope * batchSeconds * batchMeans.length;
    return new GrowthTrend(
        slope, pValue(slope, error, batchMeans.length - 2), mean > 0 ? gained / mean : 0, gained);
  }

  /** Whether there are ever more requests in flight. */
  public boolean isGrowth() {
    return pValue < P_LIMIT && relativeGrowth > GROWTH_LIMIT;
  }

  /**
   * Whether requests pile up: more come than are answered. Steps that become slower also raise the
   * number in flight, by a few. What chance does to the number of arrivals, its root, is no lack.
   */
  public boolean isOverload(double arrivals) {
    return isGrowth() && gained > Math.sqrt(arrivals);
  }

  private static double pValue(double slope, double error, int freedom) {
    if (error == 0) {
      return slope > 0 ? 0 : 1;
    }
    return 1 - new TDistribution(null, freedom).cumulativeProbability(slope / error);
  }
}
