package tallystick.alerting.watch;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;

/**
 * What a Prometheus remembers. It evaluates the expressions itself: it is the one that would have
 * fired, and a week of raw buckets would be a thousand times as much to fetch.
 */
public interface MetricHistory {
  /**
   * Moments at which an expression is evaluated, both ends included; UTC milliseconds.
   *
   * @param stepMillis between two of them
   */
  record Steps(long fromMillis, long toMillis, long stepMillis) {
    /** The last length of time before a moment, on whole steps as Prometheus counts them. */
    static Steps before(long toMillis, long lengthMillis, long stepMillis) {
      long to = Math.floorDiv(toMillis, stepMillis) * stepMillis;
      long from = Math.floorDiv(toMillis - lengthMillis, stepMillis) * stepMillis;
      return new Steps(from + stepMillis, to, stepMillis);
    }

    /** How many they are. */
    public int count() {
      return (int) ((toMillis - fromMillis) / stepMillis) + 1;
    }

    /** One of them. */
    long at(int index) {
      return fromMillis + index * stepMillis;
    }

    /** The place of the step that a moment is at or after. */
    int index(long atMillis) {
      return (int) Math.floorDiv(atMillis - fromMillis, stepMillis);
    }

    /** Puts samples at their steps; {@link StoredSeries#STALE} is where a series has none. */
    void put(SeriesStore store, Map<Labels, double[]> all) {
      for (StoredSeries series : store.all()) {
        double[] values = all.computeIfAbsent(series.labels(), any -> none());
        for (int i = 0; i < series.size(); i++) {
          int at = index(series.millis(i));
          if (at >= 0 && at < values.length) { // some stores round a range to its step
            values[at] = series.value(i);
          }
        }
      }
    }

    private double[] none() {
      double[] values = new double[count()];
      Arrays.fill(values, StoredSeries.STALE);
      return values;
    }
  }

  /**
   * An expression's values at each step, in pieces in the order of time.
   *
   * @throws tallystick.promql.PromqlException if this expression is not answered
   */
  void range(String query, Steps steps, BiConsumer<Steps, SeriesStore> piece)
      throws IOException, InterruptedException;

  /** The names of all metrics. */
  List<String> names() throws IOException, InterruptedException;

  /**
   * Series → its values at each step, {@link StoredSeries#STALE} where it has none; for a range
   * that is short enough to be kept whole.
   */
  default Map<Labels, double[]> values(String query, Steps steps)
      throws IOException, InterruptedException {
    Map<Labels, double[]> all = new LinkedHashMap<>();
    range(query, steps, (part, store) -> steps.put(store, all));
    return all;
  }
}
