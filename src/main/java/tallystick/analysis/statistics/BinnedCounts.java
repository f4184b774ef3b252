package tallystick.analysis.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Counts of a signal.
 *
 * @param edges upper edges of the cells, ascending; the last one may be infinite
 * @param perUnit for each unit of time the count in each cell, not cumulative
 * @param sums for each unit the sum of the observations in seconds
 */
public record BinnedCounts(double[] edges, double[][] perUnit, double[] sums) {
  public static final BinnedCounts NONE =
      new BinnedCounts(new double[0], new double[0][], new double[0]);

  public int units() {
    return perUnit.length;
  }

  /** All units added up. */
  public double[] total() {
    return total(IntStream.range(0, units()).toArray(), held());
  }

  /** Of each unit the cells that hold something: resamples add them up a thousand times. */
  public int[][] held() {
    return Arrays.stream(perUnit)
        .map(cells -> IntStream.range(0, cells.length).filter(i -> cells[i] != 0).toArray())
        .toArray(int[][]::new);
  }

  /** The chosen units added up, each as often as it is chosen; {@code held} is {@link #held}. */
  public double[] total(int[] units, int[][] held) {
    double[] total = new double[edges.length];
    for (int unit : units) {
      for (int cell : held[unit]) {
        total[cell] += perUnit[unit][cell];
      }
    }
    return total;
  }

  public double count() {
    double count = 0;
    for (double cell : total()) {
      count += cell;
    }
    return count;
  }

  /** Mean over chosen units; NaN where they hold nothing. */
  public double mean(int[] units, int[][] held) {
    double sum = 0;
    double count = 0;
    for (int unit : units) {
      sum += sums[unit];
      for (int cell : held[unit]) {
        count += perUnit[unit][cell];
      }
    }
    return count > 0 ? sum / count : Double.NaN;
  }

  /** Index of the cell in which the quantile lies; -1 without observations. */
  public static int cellOf(double[] cells, double level) {
    double count = 0;
    for (double cell : cells) {
      count += cell;
    }
    double rank = Math.ceil(level * count - 1e-9);
    double below = 0;
    for (int i = 0; i < cells.length; i++) {
      below += cells[i];
      if (count > 0 && below >= Math.max(1, rank)) {
        return i;
      }
    }
    return -1;
  }

  /** The quantile interpolated inside its cell, only ever used in ratios. */
  public double interpolated(double[] cells, double level) {
    int cell = cellOf(cells, level);
    if (cell < 0) {
      return Double.NaN;
    }
    double low = cell == 0 ? 0 : edges[cell - 1];
    if (Double.isInfinite(edges[cell])) {
      return low;
    }
    double below = 0;
    double count = 0;
    for (int i = 0; i < cells.length; i++) {
      below += i < cell ? cells[i] : 0;
      count += cells[i];
    }
    double inside = (level * count - below) / cells[cell];
    return low + (edges[cell] - low) * Math.max(0, Math.min(1, inside));
  }
}
