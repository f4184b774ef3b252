package tallystick.analysis.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;

/**
 * Durations of one kind in nanoseconds: exact up to a limit, beyond it a histogram of a
 * few significant digits, so that memory does not grow with the run. Count, sum, extremes and the
 * counts at the edges it was told stay exact. Not safe for use by several threads.
 */
public final class SampleSet {
  /** Samples kept one by one; at most 16 MiB. */
  static final int EXACT_LIMIT = 1 << 21;

  private static final double NANOS = 1e9;
  private static final long[][] NOT_COUNTED = new long[0][];

  /** HdrHistogram's digits: an error of 0.01 %, below what a clock tells. */
  private static final int DIGITS = 4;

  /** Times the tail: with twice and four times it, misses of E2E P95 fell from 17 to 6 %. */
  private static final int WIDEST_TAIL = 4;

  /** The median less what binary fractions such as 1 - 5 * 0.1 are off by. */
  private static final double MEDIAN = 0.5 - 1e-9;

  private final int exactLimit;
  private final int digits;
  private final double[] edges;
  private final long[] edgeNanos;
  private final long[] cells;
  private int lastCell;
  private Durations exact = new Durations();
  private Histogram histogram;

  /** The histogram's values, and how many samples each is the last of; empty until asked for. */
  private long[][] steps = NOT_COUNTED;
  private long count;
  private double sum;
  private long minimum = Long.MAX_VALUE;
  private long maximum = Long.MIN_VALUE;

  public SampleSet() {
    this(EXACT_LIMIT, DIGITS);
  }

  /** Keeps so many samples one by one and so many significant digits beyond. */
  public SampleSet(int exactLimit, int digits) {
    this(exactLimit, digits, new double[0]);
  }

  /**
   * The same with edges at which samples are counted from raw values, however many there are.
   *
   * @param edges upper edges in seconds, ascending
   */
  public SampleSet(int exactLimit, int digits, double[] edges) {
    this.exactLimit = exactLimit;
    this.digits = digits;
    this.edges = edges.clone();
    this.edgeNanos = Arrays.stream(edges).mapToLong(SampleSet::longestWithin).toArray();
    this.cells = new long[edges.length + 1];
  }

  /** A set of the usual size that counts at edges. */
  public static SampleSet countingAt(double[] edges) {
    return new SampleSet(EXACT_LIMIT, DIGITS, edges);
  }

  /** The longest duration in nanoseconds that is at most so many seconds. */
  public static long longestWithin(double seconds) {
    long nanos = (long) (seconds * NANOS);
    while (nanos < Long.MAX_VALUE && (nanos + 1) / NANOS <= seconds) {
      nanos++;
    }
    while (nanos > Long.MIN_VALUE && nanos / NANOS > seconds) {
      nanos--;
    }
    return nanos;
  }

  /** What it holds now, in a set that keeps at most so many samples one by one. */
  SampleSet copy(int limit) {
    SampleSet copy = new SampleSet(Math.min(limit, exactLimit), digits, edges);
    copy.count = count;
    copy.sum = sum;
    copy.minimum = minimum;
    copy.maximum = maximum;
    System.arraycopy(cells, 0, copy.cells, 0, cells.length);
    if (histogram == null) {
      copy.exact = exact.copy();
    } else {
      copy.exact = null;
      copy.histogram = histogram.copy();
    }
    if (copy.histogram == null && count > copy.exactLimit) {
      copy.spill();
    }
    return copy;
  }

  public void add(long nanos) {
    add(nanos, 1);
  }

  /** Adds the same sample several times. */
  public void add(long nanos, int times) {
    if (histogram == null && count + times > exactLimit) {
      spill();
    }
    if (histogram != null) {
      steps = NOT_COUNTED;
      histogram.recordValueWithCount(Math.max(0, nanos), times);
      cells[cellOf(nanos)] += times;
    } else {
      exact.add(nanos, times, exactLimit);
    }
    count += times;
    sum += (double) nanos * times;
    minimum = Math.min(minimum, nanos);
    maximum = Math.max(maximum, nanos);
  }

  /** Adds the gaps between moments that ascend. */
  void addGaps(long[] moments) {
    addGaps(moments, 1, moments.length);
  }

  /**
   * Adds some of the gaps between moments that ascend.
   *
   * @param from the first moment that ends one of them, at least 1
   * @param to the first that does not
   */
  public void addGaps(long[] moments, int from, int to) {
    int first = from;
    while (first < to && histogram == null) {
      add(moments[first] - moments[first - 1], 1);
      first++;
    }
    if (first >= to) {
      return;
    }
    steps = NOT_COUNTED;
    double added = sum;
    long least = minimum;
    long most = maximum;
    for (int i = first; i < to; i++) {
      long gap = moments[i] - moments[i - 1];
      histogram.recordValue(Math.max(0, gap));
      added += gap;
      least = Math.min(least, gap);
      most = Math.max(most, gap);
    }
    for (int i = first; i < to; i++) {
      cells[cellOf(moments[i] - moments[i - 1])]++;
    }
    count += to - first;
    sum = added;
    minimum = least;
    maximum = most;
  }

  public long count() {
    return count;
  }

  public double sumSeconds() {
    return sum / NANOS;
  }

  public double meanSeconds() {
    return count == 0 ? Double.NaN : sum / count / NANOS;
  }

  public double maximumSeconds() {
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
  public long atOrBelow(double seconds) {
    return histogram == null ? within(longestWithin(seconds)) : atOrBelowEdge(seconds);
  }

  /** Samples that are at most so long; where they are no longer kept, as near as they are told. */
  public long within(long nanos) {
    return OrderStatistics.firstTrue(rank -> atRank(rank) > nanos, 1, count + 1) - 1;
  }

  /** The sample of a rank, counted from 1, in nanoseconds. */
  public long atRank(long rank) {
    if (rank < 1 || rank > count) {
      throw new IllegalArgumentException("rank must be in 1.." + count + ", was " + rank);
    }
    if (histogram == null) {
      exact.sort();
      return exact.get((int) rank - 1);
    }
    if (rank == 1) {
      return minimum;
    }
    return rank == count ? maximum : histogramValue(rank);
  }

  public double atRankSeconds(long rank) {
    return atRank(rank) / NANOS;
  }

  /** Order statistic at a level without the existence rule, for flags; NaN when empty. */
  public double plainQuantileSeconds(double level) {
    return count == 0 ? Double.NaN : atRankSeconds(OrderStatistics.rank(level, count));
  }

  /** Order statistic at a level under the existence rule. */
  public Figure quantile(double level) {
    if (count < OrderStatistics.neededCount(level, OrderStatistics.CONFIDENCE)) {
      return Figure.missing(OrderStatistics.refusal(level, count));
    }
    return Figure.of(plainQuantileSeconds(level));
  }

  /** The distribution of nothing. */
  static Distribution none(String why) {
    Figure none = Figure.missing(why);
    return new Distribution(
        0, none, none, none,
        Arrays.stream(OrderStatistics.LEVELS)
            .mapToObj(level -> new Distribution.Percentile(level, none, none, none, false, none))
            .toList(),
        0);
  }

  /** The distribution, its intervals for samples that know nothing of one another. */
  public Distribution distribution() {
    return distribution(nanos -> IndependentCount.ofAll(count));
  }

  /**
   * The distribution as the report shows it.
   *
   * @param worth how many independent samples the set is worth for the share above a duration in
   *     nanoseconds
   */
  public Distribution distribution(LongFunction<IndependentCount> worth) {
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

  /**
   * How many independent samples these are worth for a percentile: the fewest of the percentile
   * itself and of those whose tails are two and four times as large, as far as they lie above the
   * median. A burst is rare in the outer tail, and this run may have missed it by luck; there its
   * smaller companions tell of it.
   *
   * @param worth the count for the share above a duration in nanoseconds
   */
  Figure independent(double level, LongFunction<IndependentCount> worth) {
    IndependentCount own = worth.apply(atRank(OrderStatistics.rank(level, count)));
    return own.refusal().isEmpty() ? Figure.of(fewest(level, worth)) : own.figure();
  }

  /** The same where nothing but a bound is asked: for samples that follow one another, too. */
  double fewest(double level, LongFunction<IndependentCount> worth) {
    double least = worth.apply(atRank(OrderStatistics.rank(level, count))).count();
    for (int times = 2; times <= WIDEST_TAIL; times *= 2) {
      double wider = 1 - times * (1 - level);
      if (wider >= MEDIAN) {
        long nanos = atRank(OrderStatistics.rank(wider, count));
        least = Math.min(least, worth.apply(nanos).count());
      }
    }
    return least;
  }

  private Distribution.Percentile percentile(int index, LongFunction<IndependentCount> worth) {
    double level = OrderStatistics.LEVELS[index];
    Figure value = quantile(level);
    if (value instanceof Figure.Unavailable) {
      return new Distribution.Percentile(level, value, value, value, false, value);
    }
    Figure independent = independent(level, worth);
    return independent instanceof Figure.Known known
        ? withInterval(index, value, (long) known.value())
        : new Distribution.Percentile(level, value, independent, independent, true, independent);
  }

  /** The ranks that so many independent samples carry. */
  private Distribution.Percentile withInterval(int index, Figure value, long independent) {
    double level = OrderStatistics.LEVELS[index];
    OrderStatistics.Ranks ranks =
        OrderStatistics.interval(level, OrderStatistics.CONFIDENCE, count, independent);
    Figure none =
        Figure.missing(String.format(
            Locale.ROOT, "n=%d worth %d independent, need %d", count, independent,
            OrderStatistics.neededCount(level, OrderStatistics.CONFIDENCE)));
    return new Distribution.Percentile(
        level,
        value,
        ranks.low() == OrderStatistics.NO_RANK ? none : Figure.of(atRankSeconds(ranks.low())),
        ranks.high() == OrderStatistics.NO_RANK ? none : Figure.of(atRankSeconds(ranks.high())),
        OrderStatistics.isNoisy(index, independent),
        Figure.of(independent));
  }

  private Figure figure(double value) {
    return count == 0 ? Figure.missing("no samples") : Figure.of(value);
  }

  private void spill() {
    histogram = new Histogram(digits);
    histogram.setAutoResize(true);
    for (int i = 0; i < count; i++) {
      histogram.recordValue(Math.max(0, exact.get(i)));
      cells[cellOf(exact.get(i))]++;
    }
    exact = null;
  }

  private long atOrBelowEdge(double seconds) {
    int edge = Arrays.binarySearch(edges, seconds);
    if (edge < 0) {
      throw new IllegalArgumentException(seconds + " s is not an edge of this set");
    }
    long below = 0;
    for (int i = 0; i <= edge; i++) {
      below += cells[i];
    }
    return below;
  }

  /** The first edge at or above a sample; one past the last where there is none. */
  private int cellOf(long nanos) {
    int last = edgeNanos.length;
    boolean isAbove = lastCell == 0 || edgeNanos[lastCell - 1] < nanos;
    if (isAbove && (lastCell == last || nanos <= edgeNanos[lastCell])) {
      return lastCell;
    }
    int low = 0;
    int high = last;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (edgeNanos[middle] < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    lastCell = low;
    return low;
  }

  private long histogramValue(long rank) {
    if (steps == NOT_COUNTED) {
      steps = steps();
    }
    int found = Arrays.binarySearch(steps[1], rank);
    int step = found >= 0 ? found : -found - 1;
    if (step == steps[0].length) {
      return maximum;
    }
    return Math.min(maximum, Math.max(minimum, histogram.medianEquivalentValue(steps[0][step])));
  }

  private long[][] steps() {
    LongList values = new LongList(Integer.MAX_VALUE);
    LongList upTo = new LongList(Integer.MAX_VALUE);
    long soFar = 0;
    for (var step : histogram.recordedValues()) {
      soFar += step.getCountAddedInThisIterationStep();
      values.add(step.getValueIteratedTo());
      upTo.add(soFar);
    }
    return new long[][] {values.toArray(), upTo.toArray()};
  }
}
