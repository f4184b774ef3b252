package tallystick.simengine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a set of metric families, and their exposition in the Prometheus text format as
 * vLLM's client library writes it.
 *
 * <p>Threads: writers hold this object's monitor; {@link #snapshot} takes it for a copy only.
 */
final class MetricRegistry {
  private final List<MetricFamily> families;
  private final Map<String, Map<List<String>, Series>> seriesByFamily = new LinkedHashMap<>();
  private double[] values = new double[1024];
  private List<ExposedSample> exposed = List.of();
  private int used;

  /**
   * One series of a family.
   *
   * @param family whose
   * @param labels label values in the family's order
   * @param offset place of its first value: a counter's or gauge's value; a histogram's buckets,
   *     not cumulated, and its sum; a summary's count and sum
   * @param createdSeconds when it was made, seconds since 1970
   */
  record Series(MetricFamily family, List<String> labels, int offset, double createdSeconds) {}

  /**
   * A copy of every value at one moment.
   *
   * @param samples what is exposed, in order; the same list until a series is added
   * @param values what the samples take their values from
   */
  record Snapshot(List<ExposedSample> samples, double[] values) {}

  MetricRegistry(List<MetricFamily> families, double createdSeconds) {
    this.families = List.copyOf(families);
    for (MetricFamily family : families) {
      seriesByFamily.put(family.name(), new LinkedHashMap<>());
      if (family.isComplete()) {
        for (List<String> labels : combinations(family.labels())) {
          create(family, labels, createdSeconds);
        }
      }
    }
  }

  /** The only series of a family. */
  Series series(String family) {
    return seriesByFamily.get(family).values().iterator().next();
  }

  /** The series of a family in which some label has the value. */
  Series series(String family, String labelValue) {
    return seriesByFamily.get(family).values().stream()
        .filter(series -> series.labels().contains(labelValue))
        .findFirst()
        .orElseThrow();
  }

  /** The series with these label values, made at the time given if it is new. */
  Series seriesOf(String family, List<String> labels, double nowSeconds) {
    Series known = seriesByFamily.get(family).get(labels);
    if (known != null) {
      return known;
    }
    MetricFamily owner =
        families.stream().filter(f -> f.name().equals(family)).findFirst().orElseThrow();
    return create(owner, labels, nowSeconds);
  }

  void increment(Series series, double amount) {
    values[series.offset()] += amount;
  }

  void set(Series series, double value) {
    values[series.offset()] = value;
  }

  /** Adds an observation to a histogram. */
  void observe(Series series, double value) {
    double[] edges = series.family().edges();
    int bucket = 0;
    while (bucket < edges.length && value > edges[bucket]) {
      bucket++;
    }
    values[series.offset() + bucket]++;
    values[series.offset() + edges.length + 1] += value;
  }

  /** Adds an observation to a summary without quantiles. */
  void summarize(Series series, double value) {
    values[series.offset()]++;
    values[series.offset() + 1] += value;
  }

  synchronized Snapshot snapshot() {
    if (exposed.isEmpty()) {
      List<ExposedSample> samples = new ArrayList<>();
      for (MetricFamily family : families) {
        List<Series> series = List.copyOf(seriesByFamily.get(family.name()).values());
        samples.addAll(ExposedSample.of(family, series));
      }
      exposed = List.copyOf(samples);
    }
    return new Snapshot(exposed, Arrays.copyOf(values, used));
  }

  private Series create(MetricFamily family, List<String> labels, double createdSeconds) {
    int size =
        switch (family.type()) {
          case COUNTER, GAUGE -> 1;
          case HISTOGRAM -> family.edges().length + 2;
          case SUMMARY -> 2;
        };
    if (used + size > values.length) {
      values = Arrays.copyOf(values, 2 * values.length);
    }
    Series series = new Series(family, List.copyOf(labels), used, createdSeconds);
    used += size;
    exposed = List.of();
    seriesByFamily.get(family.name()).put(series.labels(), series);
    return series;
  }

  private static List<List<String>> combinations(List<MetricFamily.Label> labels) {
    List<List<String>> all = List.of(List.of());
    for (MetricFamily.Label label : labels) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> shorter : all) {
        for (String value : label.values()) {
          List<String> next = new ArrayList<>(shorter);
          next.add(value);
          longer.add(next);
        }
      }
      all = longer;
    }
    return all;
  }
}
