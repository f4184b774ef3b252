package tallystick.analysis.statistics;

/**
 * Durations counted by unit of time and by size, in cells 3 % wide; enough to resample percentiles
 * by blocks of time, at a cost that does not depend on the number of samples.
 */
public final class UnitHistogram {
  private static final int SHIFT = 47; // Leaves 5 bits of the mantissa: cells 3 % wide
  private static final int FIRST_CELL = (int) (Double.doubleToRawLongBits(1024.0) >>> SHIFT);

  /** From a microsecond to 39 hours; of thinking, which counts a token as a second, 140,000. */
  private static final int CELLS = 37 << (52 - SHIFT);

  private final int[][] counts;
  private final double[] sums;
  private final long[] totals;

  UnitHistogram(int units) {
    counts = new int[units][];
    sums = new double[units];
    totals = new long[units];
  }

  /** What it holds now, apart from it. */
  UnitHistogram copy() {
    UnitHistogram copy = new UnitHistogram(counts.length);
    for (int unit = 0; unit < counts.length; unit++) {
      copy.counts[unit] = counts[unit] == null ? null : counts[unit].clone();
    }
    System.arraycopy(sums, 0, copy.sums, 0, sums.length);
    System.arraycopy(totals, 0, copy.totals, 0, totals.length);
    return copy;
  }

  void add(int unit, long nanos, int times) {
    if (counts[unit] == null) {
      counts[unit] = new int[CELLS];
    }
    counts[unit][cellOf(nanos)] += times;
    sums[unit] += nanos / 1e9 * times;
    totals[unit] += times;
  }

  /** Adds the gaps between moments of one unit. */
  void addGaps(int unit, long[] moments) {
    if (counts[unit] == null) {
      counts[unit] = new int[CELLS];
    }
    int[] row = counts[unit];
    double sum = sums[unit];
    for (int i = 1; i < moments.length; i++) {
      long gap = moments[i] - moments[i - 1];
      row[cellOf(gap)]++;
      sum += gap / 1e9;
    }
    sums[unit] = sum;
    totals[unit] += moments.length - 1;
  }

  /** Durations of a unit. */
  public long count(int unit) {
    return totals[unit];
  }

  /** Durations of a unit in longer cells than that of a duration. */
  public long countAbove(int unit, long nanos) {
    return countFrom(unit, cellOf(nanos) + 1);
  }

  /** Durations of a unit in the cell of a duration and in longer ones. */
  long countReaching(int unit, long nanos) {
    return countFrom(unit, cellOf(nanos));
  }

  private long countFrom(int unit, int first) {
    long count = 0;
    for (int cell = first; counts[unit] != null && cell < CELLS; cell++) {
      count += counts[unit][cell];
    }
    return count;
  }

  public int units() {
    return counts.length;
  }

  /** Units that follow one another, the last one excluded. */
  record Stretch(int from, int to) {
    /** One of so many equal parts. */
    Stretch part(int index, int parts) {
      int length = to - from;
      return new Stretch(from + length * index / parts, from + length * (index + 1) / parts);
    }
  }

  /** From the first unit that holds anything up to the last one. */
  Stretch used() {
    int first = 0;
    int end = units();
    while (first < end && totals[first] == 0) {
      first++;
    }
    while (end > first && totals[end - 1] == 0) {
      end--;
    }
    return new Stretch(first, end);
  }

  /**
   * The quantile of a stretch to its cell, as the cell's upper edge: infinite for what is longer
   * than any cell, as what never came is; NaN where the stretch holds nothing.
   */
  double quantileNanos(Stretch stretch, double level) {
    long all = 0;
    for (int unit = stretch.from(); unit < stretch.to(); unit++) {
      all += totals[unit];
    }
    if (all == 0) {
      return Double.NaN;
    }
    long left = OrderStatistics.rank(level, all);
    int cell = -1;
    while (left > 0) {
      cell++;
      for (int unit = stretch.from(); unit < stretch.to(); unit++) {
        left -= counts[unit] == null ? 0 : counts[unit][cell];
      }
    }
    return cell == CELLS - 1 ? Double.POSITIVE_INFINITY : upperEdge(cell);
  }

  /** The same units as plain numbers, from one unit up to another. */
  public BinnedCounts counts(int fromUnit, int toUnit) {
    double[][] perUnit = new double[toUnit - fromUnit][];
    double[] sumPerUnit = new double[toUnit - fromUnit];
    int first = CELLS;
    int last = 0;
    for (int unit = fromUnit; unit < toUnit; unit++) {
      for (int cell = 0; counts[unit] != null && cell < CELLS; cell++) {
        if (counts[unit][cell] > 0) {
          first = Math.min(first, cell);
          last = Math.max(last, cell);
        }
      }
    }
    int width = Math.max(0, last - first + 1);
    for (int unit = fromUnit; unit < toUnit; unit++) {
      perUnit[unit - fromUnit] = new double[width];
      sumPerUnit[unit - fromUnit] = sums[unit];
      for (int i = 0; counts[unit] != null && i < width; i++) {
        perUnit[unit - fromUnit][i] = counts[unit][first + i];
      }
    }
    double[] edges = new double[width];
    for (int i = 0; i < width; i++) {
      edges[i] = upperEdge(first + i) / 1e9;
    }
    return new BinnedCounts(edges, perUnit, sumPerUnit);
  }

  private static int cellOf(long nanos) {
    int cell = (int) (Double.doubleToRawLongBits(Math.max(1024, nanos)) >>> SHIFT) - FIRST_CELL;
    return Math.min(CELLS - 1, cell);
  }

  private static double upperEdge(int cell) {
    return Double.longBitsToDouble((long) (cell + FIRST_CELL + 1) << SHIFT);
  }
}
