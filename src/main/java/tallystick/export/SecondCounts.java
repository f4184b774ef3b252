package tallystick.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.Series.Type;
import tallystick.runrecord.Series;

/** A counter or a histogram that grows second by second. */
final class SecondCounts {
  private final Series series;
  private final List<Double> bounds;
  private final Map<Long, Growth> growth = new HashMap<>();
  private final List<Series> buckets = new ArrayList<>();
  private final long[] counts;
  private double sum;
  private long count;

  /** What one second adds. */
  private static final class Growth {
    private final long[] counts;
    private double sum;
    private long count;

    private Growth(int size) {
      this.counts = new long[size];
    }
  }

  /** A counter if there are no bounds, else a histogram with these upper bounds, ascending. */
  SecondCounts(Series series, List<Double> bounds) {
    this.series = series;
    this.bounds = List.copyOf(bounds);
    this.counts = new long[bounds.size()];
    for (double bound : bounds) {
      Map<String, String> labels = new TreeMap<>(series.labels());
      labels.put("le", OpenMetricsText.number(bound));
      buckets.add(Series.of(series.name() + "_bucket", labels, Type.HISTOGRAM));
    }
  }

  /** Adds an amount, or one observation of {@code value}, to what a second adds. */
  void add(long second, long amount, double value) {
    Growth step = growth.computeIfAbsent(second, any -> new Growth(counts.length));
    step.count += amount;
    if (!bounds.isEmpty()) {
      step.sum += value;
      for (int i = 0; i < counts.length; i++) {
        step.counts[i] += value <= bounds.get(i) ? 1 : 0;
      }
    }
  }

  /** Goes back to zero. */
  void begin() {
    Arrays.fill(counts, 0);
    sum = 0;
    count = 0;
  }

  /** Adds what the next second adds. */
  void advanceTo(long second) {
    Growth step = growth.get(second);
    if (step != null) {
      count += step.count;
      sum += step.sum;
      for (int i = 0; i < counts.length; i++) {
        counts[i] += step.counts[i];
      }
    }
  }

  void write(MetricTable table, long utcMillis) {
    if (bounds.isEmpty()) {
      table.add(series, utcMillis, count);
      return;
    }
    for (int i = 0; i < counts.length; i++) {
      table.add(buckets.get(i), utcMillis, counts[i]);
    }
    table.add(Series.of(series.name() + "_sum", series.labels(), Type.HISTOGRAM), utcMillis, sum);
    table.add(
        Series.of(series.name() + "_count", series.labels(), Type.HISTOGRAM), utcMillis, count);
  }
}
