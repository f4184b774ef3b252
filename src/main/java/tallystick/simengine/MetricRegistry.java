package tallystick.simengine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
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
  private final MetricNames names;
  private final Map<String, Map<List<String>, Series>> seriesByFamily = new LinkedHashMap<>();
  private double[] values = new double[1024];
  private final Map<ExpositionFormat, List<ExposedSample>> exposed =
      new EnumMap<>(ExpositionFormat.class);
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
  record Series(MetricFamily family, List<String> labels, int offset, double createdSeconds) {
    private boolean has(Map<String, String> wanted) {
      return wanted.entrySet().stream()
          .allMatch(label -> label.getValue().equals(value(label.getKey())));
    }

    private String value(String label) {
      for (int i = 0; i < labels.size(); i++) {
        if (family.labels().get(i).name().equals(label)) {
          return labels.get(i);
        }
      }
      return "";
    }
  }

  /**
   * A copy of every value at one moment.
   *
   * @param samples what is exposed, in order; the same list until a series is added
   * @param values what the samples take their values from
   */
  record Snapshot(List<ExposedSample> samples, double[] values) {}

  MetricRegistry(List<MetricFamily> families, MetricNames names, double createdSeconds) {
    this.families = List.copyOf(families);
    this.names = names;
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

  /** The series of a family whose labels have all these values. */
  Series series(String family, Map<String, String> labels) {
    return seriesByFamily.get(family).values().stream()
        .filter(series -> series.has(labels))
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

  /** Every value in Prometheus text. */
  Snapshot snapshot() {
    return snapshot(ExpositionFormat.TEXT);
  }

  synchronized Snapshot snapshot(ExpositionFormat format) {
    List<ExposedSample> samples = exposed.computeIfAbsent(format, this::samples);
    return new Snapshot(samples, Arrays.copyOf(values, used));
  }

  private List<ExposedSample> samples(ExpositionFormat format) {
    List<ExposedSample> samples = new ArrayList<>();
    for (MetricFamily family : families) {
      List<Series> series = List.copyOf(seriesByFamily.get(family.name()).values());
      for (String name : names.of(family.name())) {
        ExposedSample.Form form = new ExposedSample.Form(name, format, names);
        samples.addAll(ExposedSample.of(family, series, form));
      }
    }
    return List.copyOf(samples);
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
    exposed.clear();
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
