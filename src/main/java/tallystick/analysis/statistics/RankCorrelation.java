package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.ranking.NaNStrategy;
import org.apache.commons.math3.stat.ranking.NaturalRanking;
import org.apache.commons.math3.stat.ranking.TiesStrategy;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/** Rank correlation of two series over time, and what it is worth. */
public final class RankCorrelation {
  /**
   * Every shift but none. Leaving out the nearest, which keep some of the pairing, would leave out
   * the neighbours of a peak as well: of a thousand pairs of unrelated series that follow
   * themselves, 75 instead of 50 then have a p-value of at most 5 %.
   */
  public static final int ALL_SHIFTS = 1;

  /** Shifts that tie must count as ties, in whatever order their terms were added. */
  private static final double ROUNDING = 1e-12;

  /** A largest correlation over lags and its p-value. */
  public record Test(double statistic, double pValue, int shifts) {}

  private RankCorrelation() {}

  /** Spearman's correlation of {@code x[t]} with {@code y[t + lag]}; 0 where one is constant. */
  public static double atLag(double[] x, double[] y, int lag) {
    int from = Math.max(0, -lag);
    int to = Math.min(x.length, y.length - lag);
    return pearson(
        ranks(Arrays.copyOfRange(x, from, to)), ranks(Arrays.copyOfRange(y, from + lag, to + lag)));
  }

  /**
   * The largest circular rank correlation over lags with a p-value by circular shifts of one
   * series against the other, which keeps the rhythm each has by itself; a plain permutation would
   * not. Choosing among lags costs nothing more: every shift may choose, too.
   *
   * @param shortestShift shifts nearer to none than this are left out
   */
  public static Test circularShift(
      double[] x, double[] y, int firstLag, int lastLag, int shortestShift) {
    double[] ranksOfX = ranks(x);
    double[] ranksOfY = ranks(y);
    double statistic = largest(ranksOfX, ranksOfY, firstLag, lastLag, 0);
    int reached = 0;
    int shifts = 0;
    for (int shift = shortestShift; shift <= x.length - shortestShift; shift++) {
      shifts++;
      if (largest(ranksOfX, ranksOfY, firstLag, lastLag, shift) >= statistic - ROUNDING) {
        reached++;
      }
    }
    return new Test(statistic, (1.0 + reached) / (1 + shifts), shifts);
  }

  /** What remains of the ranks of a series once those of others are taken out by regression. */
  public static double[] residualRanks(double[] series, double[]... others) {
    double[][] moving =
        Arrays.stream(others)
            .filter(other -> Arrays.stream(other).distinct().count() > 1)
            .toArray(double[][]::new);
    return moving.length == 0 ? ranks(series) : residuals(series, moving);
  }

  private static double[] residuals(double[] series, double[][] others) {
    double[][] rows = new double[series.length][others.length];
    for (int column = 0; column < others.length; column++) {
      double[] ranks = ranks(others[column]);
      for (int row = 0; row < series.length; row++) {
        rows[row][column] = ranks[row];
      }
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    try {
      regression.newSampleData(ranks(series), rows);
      return regression.estimateResiduals();
    } catch (SingularMatrixException e) {
      // Series that carry one another's load are one series; the last ones add nothing.
      return others.length > 1
          ? residuals(series, Arrays.copyOf(others, others.length - 1))
          : ranks(series);
    }
  }

  /** Ranks from 1, ties sharing their mean; what is not known ranks last. */
  static double[] ranks(double[] values) {
    return new NaturalRanking(NaNStrategy.MAXIMAL, TiesStrategy.AVERAGE).rank(values);
  }

  /** Pearson's correlation; 0 where one series is constant. */
  static double pearson(double[] x, double[] y) {
    double correlation = new PearsonsCorrelation().correlation(x, y);
    return Double.isNaN(correlation) ? 0 : correlation;
  }

  private static double largest(double[] x, double[] y, int firstLag, int lastLag, int shift) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int lag = firstLag; lag <= lastLag; lag++) {
      largest = Math.max(largest, pearson(x, rotated(y, shift - lag)));
    }
    return largest;
  }

  private static double[] rotated(double[] values, int shift) {
    double[] rotated = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      rotated[Math.floorMod(i + shift, values.length)] = values[i];
    }
    return rotated;
  }
}
