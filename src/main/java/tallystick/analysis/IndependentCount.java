package tallystick.analysis;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How many independent samples those of a run are worth at a level. Requests that come together
 * suffer together, and gaps of one request are alike: the share of samples above a level spreads
 * over stretches of time more than that of independent ones would. The count is divided by how
 * much more.
 */
final class IndependentCount {
  private static final int MOST_BATCHES = 30;
  private static final int FEWEST_BATCHES = 10;

  /** Batches whose shares follow one another more than this are too short. */
  private static final double INDEPENDENT = 0.3;

  private static final double NORMAL = 1.959964;

  private IndependentCount() {}

  /**
   * The count for the share of samples longer than a duration, to a cell of the histogram; never
   * more than there are samples. Missing where time cannot be cut into ten batches that do not
   * follow one another.
   */
  static Figure above(UnitHistogram units, long nanos) {
    int first = 0;
    int end = units.units();
    while (first < end && units.count(first) == 0) {
      first++;
    }
    while (end > first && units.count(end - 1) == 0) {
      end--;
    }
    if (end - first < FEWEST_BATCHES) {
      return Figure.missing("the samples span too little time to tell how alike they are");
    }
    for (int batches = Math.min(MOST_BATCHES, end - first); batches >= FEWEST_BATCHES; batches--) {
      Figure worth = worth(units, nanos, first, end, batches);
      if (worth instanceof Figure.Known) {
        return worth;
      }
    }
    return Figure.missing("neighbouring stretches of time are alike: the run is too short");
  }

  private static Figure worth(
      UnitHistogram units, long nanos, int first, int end, int batches) {
    double[] counts = new double[batches];
    double[] above = new double[batches];
    for (int unit = first; unit < end; unit++) {
      int batch = (int) ((long) (unit - first) * batches / (end - first));
      counts[batch] += units.count(unit);
      above[batch] += units.countAbove(unit, nanos);
    }
    double count = Arrays.stream(counts).sum();
    double share = Arrays.stream(above).sum() / count;
    if (share <= 0 || share >= 1) {
      // All in one cell: whatever the interval, its ends are the same to 3 %.
      return Figure.of(count);
    }
    double[] residuals = new double[batches];
    Arrays.setAll(residuals, i -> above[i] - share * counts[i]);
    double correlation = SteadyMean.autocorrelation(residuals);
    if (correlation > INDEPENDENT) {
      return Figure.missing("batches follow one another");
    }
    double squares = Arrays.stream(residuals).map(r -> r * r).sum() * batches / (batches - 1);
    double effect = squares / (count * share * (1 - share));
    double left = Math.max(0, correlation);
    double student =
        new TDistribution(null, batches - 1).inverseCumulativeProbability(0.975) / NORMAL;
    double inflated = effect * (1 + left) / (1 - left) * student * student;
    return Figure.of(Math.max(1, Math.floor(count / Math.max(1, inflated))));
  }
}
