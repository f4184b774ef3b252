package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * Durations of one kind in nanoseconds: exact up to a limit, beyond it a histogram of a
 * few significant digits, so that memory does not grow with the run. Count, sum, extremes and the
 * counts at the edges it was told stay exact. Not safe for use by several threads.
 */
final class SampleSet {
  /** Samples kept one by one; 16 MiB. */
  static final int EXACT_LIMIT = 1 << 21;

  private static final double NANOS = 1e9;
  private static final int DIGITS = 4;

  private final int exactLimit;
  private final int digits;
  private final double[] edges;
  private final long[] cells;
  private long[] exact = new long[16];
  private boolean sorted = true;
  private Histogram histogram;
  private long count;
  private double sum;
  private long minimum = Long.MAX_VALUE;
  private long maximum = Long.MIN_VALUE;

  SampleSet() {
    this(EXACT_LIMIT, DIGITS);
  }

  /** Keeps so many samples one by one and so many significant digits beyond. */
  SampleSet(int exactLimit, int digits) {
    this(exactLimit, digits, new double[0]);
  }

  /**
   * The same with edges at which samples are counted from raw values, however many there are.
   *
   * @param edges upper edges in seconds, ascending
   */
  SampleSet(int exactLimit, int digits, double[] edges) {
    this.exactLimit = exactLimit;
    this.digits = digits;
    this.edges = edges.clone();
    this.cells = new long[edges.length + 1];
  }

  /** A set of the usual size that counts at edges. */
  static SampleSet countingAt(double[] edges) {
    return new SampleSet(EXACT_LIMIT, DIGITS, edges);
  }

  void add(long nanos) {
    add(nanos, 1);
  }

  /** Adds the same sample several times. */
  void add(long nanos, int times) {
    if (histogram == null && count + times > exactLimit) {
      spill();
    }
    if (histogram != null) {
      histogram.recordValueWithCount(Math.max(0, nanos), times);
      cells[cellOf(nanos)] += times;
    } else {
      append(nanos, times);
    }
    count += times;
    sum += (double) nanos * times;
    minimum = Math.min(minimum, nanos);
    maximum = Math.max(maximum, nanos);
  }

  long count() {
    return count;
  }

  double sumSeconds() {
    return sum / NANOS;
  }

  double meanSeconds() {
    return count == 0 ? Double.NaN : sum / count / NANOS;
  }

  double maximumSeconds() {
    return count == 0 ? Double.NaN : maximum / NANOS;
  }

  /** Whether every sample is kept. */
  boolean isExact() {
    return histogram == null;
  }

  /**
   * Samples at or below a duration, always from raw values.
   *
   * @throws IllegalArgumentException if samples are no longer kept and this is none of the edges
   */
  long atOrBelow(double seconds) {
    if (histogram != null) {
      return atOrBelowEdge(seconds);
    }
    sort();
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (exact[(int) middle] / NANOS <= seconds) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The sample of a rank, counted from 1, in nanoseconds. */
  long atRank(long rank) {
    if (rank < 1 || rank > count) {
      throw new IllegalArgumentException("rank must be in 1.." + count + ", was " + rank);
    }
    if (histogram == null) {
      sort();
      return exact[(int) rank - 1];
    }
    if (rank == 1) {
      return minimum;
    }
    return rank == count ? maximum : histogramValue(rank);
  }

  double atRankSeconds(long rank) {
    return atRank(rank) / NANOS;
  }

  /** Order statistic at a level without the existence rule, for flags; NaN when empty. */
  double plainQuantileSeconds(double level) {
    return count == 0 ? Double.NaN : atRankSeconds(OrderStatistics.rank(level, count));
  }

  /** Order statistic at a level under the existence rule. */
  Figure quantile(double level) {
    if (count < OrderStatistics.neededCount(level, OrderStatistics.CONFIDENCE)) {
      return Figure.missing(OrderStatistics.refusal(level, count));
    }
    return Figure.of(plainQuantileSeconds(level));
  }

  /** The distribution, its intervals for samples that know nothing of one another. */
  Distribution distribution() {
    return distribution(nanos -> Figure.of(count));
  }

  /**
   * The distribution as the report shows it.
   *
   * @param worth how many independent samples the set is worth for the share above a duration in
   *     nanoseconds
   */
  Distribution distribution(LongFunction<Figure> worth) {
    List<Distribution.Percentile> percentiles = new ArrayList<>();
    for (int i = 0; i < OrderStatistics.LEVELS.length; i++) {
      percentiles.add(percentile(i, worth));
    }
    double error = histogram == null ? 0 : Math.pow(10, -digits);
    return new Distribution(
        count,
        figure(meanSeconds()),
        figure(minimum / NANOS),
        figure(maximum / NANOS),
        percentiles,
        error);
  }

  /** A distribution nothing is known of. */
  static Distribution unavailable(String reason) {
    Figure none = Figure.missing(reason);
    List<Distribution.Percentile> percentiles =
        Arrays.stream(OrderStatistics.LEVELS)
            .mapToObj(level -> new Distribution.Percentile(level, none, none, none, false, none))
            .toList();
    return new Distribution(0, none, none, none, percentiles, 0);
  }

  private Distribution.Percentile percentile(int index, LongFunction<Figure> worth) {
    double level = OrderStatistics.LEVELS[index];
    Figure value = quantile(level);
    if (value instanceof Figure.Unavailable) {
      return new Distribution.Percentile(level, value, value, value, false, value);
    }
    Figure independent = worth.apply(atRank(OrderStatistics.rank(level, count)));
    return independent instanceof Figure.Known known
        ? withInterval(index, value, (long) known.value())
        : new Distribution.Percentile(level, value, independent, independent, true, independent);
  }

  /** The ranks that so many independent samples would need, stretched to those there are. */
  private Distribution.Percentile withInterval(int index, Figure value, long independent) {
    double level = OrderStatistics.LEVELS[index];
    OrderStatistics.Ranks ranks =
        OrderStatistics.interval(level, OrderStatistics.CONFIDENCE, independent);
    Figure none =
        Figure.missing(
            String.format(
                Locale.ROOT, "n=%d worth %d independent, need %d", count, independent,
                OrderStatistics.neededCount(level, OrderStatistics.CONFIDENCE)));
    double stretch = (double) count / independent;
    long low = Math.max(1, (long) Math.floor(ranks.low() * stretch));
    long high = Math.min(count, (long) Math.ceil(ranks.high() * stretch));
    return new Distribution.Percentile(
        level,
        value,
        ranks.low() == OrderStatistics.NO_RANK ? none : Figure.of(atRankSeconds(low)),
        ranks.high() == OrderStatistics.NO_RANK ? none : Figure.of(atRankSeconds(high)),
        OrderStatistics.isNoisy(index, independent),
        Figure.of(independent));
  }

  private Figure figure(double value) {
    return count == 0 ? Figure.missing("no samples") : Figure.of(value);
  }

  private void append(long nanos, int times) {
    int size = (int) count;
    if (size + times > exact.length) {
      int grown = Math.max(size + times, Math.min(exactLimit, exact.length * 2));
      exact = Arrays.copyOf(exact, grown);
    }
    Arrays.fill(exact, size, size + times, nanos);
    sorted = false;
  }

  private void spill() {
    histogram = new Histogram(digits);
    histogram.setAutoResize(true);
    for (int i = 0; i < count; i++) {
      histogram.recordValue(Math.max(0, exact[i]));
      cells[cellOf(exact[i])]++;
    }
    exact = new long[0];
  }

  private long atOrBelowEdge(double seconds) {
    int edge = Arrays.binarySearch(edges, seconds);
    if (edge < 0) {
      throw new IllegalArgumentException(seconds + " s is no edge of this set");
    }
    long below = 0;
    for (int i = 0; i <= edge; i++) {
      below += cells[i];
    }
    return below;
  }

  /** The first edge at or above a sample; one past the last where there is none. */
  private int cellOf(long nanos) {
    int found = Arrays.binarySearch(edges, nanos / NANOS);
    return found >= 0 ? found : -found - 1;
  }

  private void sort() {
    if (!sorted) {
      Arrays.sort(exact, 0, (int) count);
      sorted = true;
    }
  }

  private long histogramValue(long rank) {
    long below = 0;
    for (var step : histogram.recordedValues()) {
      below += step.getCountAddedInThisIterationStep();
      if (below >= rank) {
        long middle = histogram.medianEquivalentValue(step.getValueIteratedTo());
        return Math.min(maximum, Math.max(minimum, middle));
      }
    }
    return maximum;
  }
}
