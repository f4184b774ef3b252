package tallystick.alerting.derivation;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/** Tells a step whose queue grows without end from one that is merely slow. */
final class GrowingQueue {
  static final int BATCHES = 12; // means for a line
  private static final double MOST_CHANCE = 0.01; // of a slope by chance
  private static final double LEAST_GROWTH = 0.5; // of the mean, over the step

  private GrowingQueue() {}

  /**
   * Whether requests in flight grew: the slope over the batches is no chance, and over the step it
   * amounts to more than half of the mean.
   *
   * @param batchMeans mean requests in flight in each twelfth of the step
   */
  static boolean isIn(double[] batchMeans) {
    SimpleRegression line = new SimpleRegression();
    double sum = 0;
    for (int i = 0; i < batchMeans.length; i++) {
      line.addData(i, batchMeans[i]);
      sum += batchMeans[i];
    }
    double mean = sum / batchMeans.length;
    double slope = line.getSlope();
    if (!(slope > 0) || !(mean > 0)) {
      return false;
    }
    boolean exact = line.getSumSquaredErrors() < 1e-12 * line.getTotalSumSquares();
    double oneSided = exact ? 0 : line.getSignificance() / 2;
    return oneSided < MOST_CHANCE && slope * batchMeans.length / mean > LEAST_GROWTH;
  }
}
