package tallystick.analysis;

import java.util.Arrays;

/**
 * MSER-5: where the transient of a series ends. Batch means of five; the cut minimises the squared
 * error of the mean of what remains, over cuts of at most half the batches.
 *
 * @param batches leading batches to cut
 * @param batchSize raw observations in a batch
 * @param atLimit whether the minimum lies at the last allowed cut, so that there is no steady state
 */
record SteadyStateCut(int batches, int batchSize, boolean atLimit) {
  /** Observations in a batch. */
  static final int BATCH = 5;

  /** Fewer batches than this tell nothing. */
  static final int FEWEST_BATCHES = 8;

  /** The cut of a series of batch means. */
  static SteadyStateCut of(double[] batchMeans, int batchSize) {
    double[] statistic = statistic(batchMeans);
    int best = 0;
    for (int cut = 1; cut < statistic.length; cut++) {
      if (statistic[cut] < statistic[best]) {
        best = cut;
      }
    }
    return new SteadyStateCut(best, batchSize, best == statistic.length - 1);
  }

  /** Raw observations to cut. */
  long observations() {
    return (long) batches * batchSize;
  }

  /** Squared error over squared length of the rest, for every allowed cut. */
  static double[] statistic(double[] means) {
    double[] statistic = new double[means.length / 2 + 1];
    // From the end, so that each cut adds one batch to running sums; shifted to keep digits.
    double shift = Arrays.stream(means).average().orElse(0);
    double sum = 0;
    double squares = 0;
    for (int i = means.length - 1; i >= 0; i--) {
      double value = means[i] - shift;
      sum += value;
      squares += value * value;
      int rest = means.length - i;
      if (i < statistic.length) {
        double error = Math.max(0, squares - sum * sum / rest);
        statistic[i] = error / ((double) rest * rest);
      }
    }
    return statistic;
  }
}
