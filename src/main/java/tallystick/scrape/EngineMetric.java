package tallystick.scrape;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One metric of a snapshot with its labels; the twin of what vLLM's {@code get_metrics_snapshot()}
 * gives inside the engine's process.
 */
public sealed interface EngineMetric {

  /** Family name, for a counter without {@code _total}. */
  String name();

  /** Labels, without {@code le} and a vector's {@code position}. */
  SortedMap<String, String> labels();

  /**
   * A value that only rises while the engine lives.
   *
   * @param exposedName as a rule must name it, mostly with {@code _total}
   */
  record Counter(String name, SortedMap<String, String> labels, double value, String exposedName)
      implements EngineMetric {}

  /** A value that rises and falls. */
  record Gauge(String name, SortedMap<String, String> labels, double value)
      implements EngineMetric {}

  /** Counters numbered by position, for accepted draft tokens per position. */
  record Vector(String name, SortedMap<String, String> labels, List<Double> values)
      implements EngineMetric {
    public Vector {
      values = List.copyOf(values);
    }
  }

  /**
   * Observations in buckets.
   *
   * @param count number of observations; NaN where the target exposes none
   * @param sum sum of observations; NaN where the target exposes none
   * @param buckets upper edge → observations at or below it, ascending
   */
  record Histogram(
      String name,
      SortedMap<String, String> labels,
      double count,
      double sum,
      SortedMap<Double, Double> buckets)
      implements EngineMetric {
    public Histogram {
      buckets = Collections.unmodifiableSortedMap(new TreeMap<>(buckets));
    }
  }
}
