package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import tallystick.analysis.result.Figure;

/**
 * How many independent samples those of a run are worth at a level. Requests that come together
 * suffer together, one slow step strikes every stream at once, and gaps of one request are alike:
 * the share of samples above a level spreads over stretches of time more than that of independent
 * ones would. The count is divided by how much more.
 *
 * @param count never more than there are samples, at least 1
 * @param refusal why it stands for nothing: time cannot be cut into ten batches that do not follow
 *     one another; empty where it can
 */
record IndependentCount(double count, String refusal) {
  /** Two divisions, because by chance one of them may show little of the spread. */
  private static final int LONG_BATCHES = 10;

  /** Twice the fewest batches: a finer cut that sees shorter bursts. */
  private static final int SHORT_BATCHES = 20;

  /** A run whose tenths follow one another more than this is no longer than its own memory. */
  private static final double MEMORY = 0.5;

  private static final double NORMAL = 1.959964; // 97.5 % point of the normal distribution

  /** The count for the share of samples longer than a duration, to a cell of the histogram. */
  static IndependentCount above(UnitHistogram units, long nanos) {
    int first = units.used().from();
    int end = units.used().to();
    if (end - first < LONG_BATCHES) {
      return new IndependentCount(1, "the samples span too little time to tell how alike they are");
    }
    double[][] unitCounts = counts(units, nanos, first, end);
    Spread inTenths = Spread.of(unitCounts, LONG_BATCHES);
    Spread finer = Spread.of(unitCounts, Math.min(SHORT_BATCHES, end - first));
    double effect = Math.max(1, Math.max(inTenths.effect(), finer.effect()));
    double count = Math.max(1, Math.floor(Arrays.stream(unitCounts[0]).sum() / effect));
    return new IndependentCount(
        count,
        inTenths.correlation() > MEMORY
            ? "neighbouring stretches of time are alike: the run is too short"
            : "");
  }

  /** Every sample stands for itself. */
  static IndependentCount ofAll(long samples) {
    return new IndependentCount(samples, "");
  }

  /** The count, or why it stands for nothing. */
  Figure figure() {
    return refusal.isEmpty() ? Figure.of(count) : Figure.missing(refusal);
  }

  /** Samples of each unit and those of them above; those in the level's own cell if none is. */
  private static double[][] counts(UnitHistogram units, long nanos, int first, int end) {
    double[][] counts = new double[2][end - first];
    double[] reaching = new double[end - first];
    for (int unit = first; unit < end; unit++) {
      counts[0][unit - first] = units.count(unit);
      counts[1][unit - first] = units.countAbove(unit, nanos);
      reaching[unit - first] = units.countReaching(unit, nanos);
    }
    if (Arrays.stream(counts[1]).sum() == 0) {
      counts[1] = reaching;
    }
    return counts;
  }

  /**
   * What batches of time tell.
   *
   * @param effect how much more the share spreads over them than that of independent samples, with
   *     what their own small number leaves unknown
   * @param correlation of neighbouring batches
   */
  private record Spread(double effect, double correlation) {

    static Spread of(double[][] units, int batches) {
      double[] counts = Estimate.batched(units[0], batches);
      double[] above = Estimate.batched(units[1], batches);
      double count = Arrays.stream(counts).sum();
      double share = Arrays.stream(above).sum() / count;
      if (share <= 0 || share >= 1) {
        // None that long, or all in one cell, whose ends are the same to 3 %.
        return new Spread(1, 0);
      }
      double[] residuals = new double[batches];
      Arrays.setAll(residuals, i -> above[i] - share * counts[i]);
      double correlation = SteadyMean.autocorrelation(residuals);
      double squares = Arrays.stream(residuals).map(r -> r * r).sum() * batches / (batches - 1);
      double left = Math.max(0, Math.min(MEMORY, correlation));
      double student =
          new TDistribution(null, batches - 1).inverseCumulativeProbability(0.975) / NORMAL;
      double effect =
          squares / (count * share * (1 - share)) * (1 + left) / (1 - left) * student * student;
      return new Spread(effect, correlation);
    }
  }
}
