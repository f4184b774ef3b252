package tallystick.export;

import java.util.ArrayList;
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
  private final Growth total;

  /** What one second adds, or all up to one. */
  private static final class Growth {
    private final long[] counts;
    private double sum;
    private long count;

    private Growth(int size) {
      this.counts = new long[size];
    }

    private void add(Growth other) {
      count += other.count;
      sum += other.sum;
      for (int i = 0; i < counts.length; i++) {
        counts[i] += other.counts[i];
      }
    }
  }

  /** A counter if there are no bounds, else a histogram with these upper bounds, ascending. */
  SecondCounts(Series series, List<Double> bounds) {
    this.series = series;
    this.bounds = List.copyOf(bounds);
    this.total = new Growth(bounds.size());
    for (double bound : bounds) {
      Map<String, String> labels = new TreeMap<>(series.labels());
      labels.put("le", OpenMetricsText.number(bound));
      buckets.add(Series.of(series.name() + "_bucket", labels, Type.HISTOGRAM));
    }
  }

  /** Adds an amount, or one observation of {@code value}, to what a second adds. */
  void add(long second, long amount, double value) {
    Growth step = growth.computeIfAbsent(second, any -> new Growth(bounds.size()));
    step.count += amount;
    if (!bounds.isEmpty()) {
      step.sum += value;
      for (int i = 0; i < step.counts.length; i++) {
        step.counts[i] += value <= bounds.get(i) ? 1 : 0;
      }
    }
  }

  /** Adds what the next second adds. */
  void advanceTo(long second) {
    Growth step = growth.get(second);
    if (step != null) {
      total.add(step);
    }
  }

  void write(MetricTable table, long utcMillis) {
    if (bounds.isEmpty()) {
      table.add(series, utcMillis, total.count);
      return;
    }
    for (int i = 0; i < total.counts.length; i++) {
      table.add(buckets.get(i), utcMillis, total.counts[i]);
    }
    table.add(part("_sum"), utcMillis, total.sum);
    table.add(part("_count"), utcMillis, total.count);
  }

  private Series part(String ending) {
    return Series.of(series.name() + ending, series.labels(), Type.HISTOGRAM);
  }
}
