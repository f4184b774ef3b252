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
  private final MetricNames names;
  private final Map<String, Map<List<String>, RegisteredSeries>> seriesByFamily =
      new LinkedHashMap<>();
  private double[] values = new double[1024];
  private List<ExposedSample> exposed = List.of();
  private int used;

  /**
   * A copy of every value at one moment.
   *
   * @param samples what is exposed, in order; the same list until a series is added
   * @param values what the samples take their values from
   */
  record Snapshot(List<ExposedSample> samples, double[] values) {
    /** The Prometheus text format 1.0.0, as Python's client library writes it. */
    String text() {
      StringBuilder text = new StringBuilder(1 << 16);
      for (ExposedSample sample : samples) {
        text.append(sample.head());
        if (!sample.name().isEmpty()) {
          text.append(sample.line()).append(NumberText.of(sample.value(values))).append('\n');
        }
      }
      return text.toString();
    }
  }

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
  RegisteredSeries series(String family) {
    return seriesByFamily.get(family).values().iterator().next();
  }

  /** Every series there is. */
  List<RegisteredSeries> series() {
    return seriesByFamily.values().stream().flatMap(family -> family.values().stream()).toList();
  }

  /** The series with these label values, made at the time given if it is new. */
  RegisteredSeries seriesOf(String family, List<String> labels, double nowSeconds) {
    RegisteredSeries known = seriesByFamily.get(family).get(labels);
    if (known != null) {
      return known;
    }
    MetricFamily owner =
        families.stream().filter(f -> f.name().equals(family)).findFirst().orElseThrow();
    return create(owner, labels, nowSeconds);
  }

  /** Takes what a series tells: a counter grows, a gauge is set, others get an observation. */
  void take(RegisteredSeries series, double value) {
    int at = series.offset();
    switch (series.family().type()) {
      case COUNTER -> values[at] += value;
      case GAUGE -> values[at] = value;
      case HISTOGRAM -> {
        double[] edges = series.family().edges();
        int bucket = 0;
        while (bucket < edges.length && value > edges[bucket]) {
          bucket++;
        }
        values[at + bucket]++;
        values[at + edges.length + 1] += value;
      }
      case SUMMARY -> {
        values[at]++;
        values[at + 1] += value;
      }
    }
  }

  /** Sets everything that counts to 0, which a gauge does not. */
  synchronized void resetCounters() {
    for (RegisteredSeries one : series()) {
      if (one.family().type() != MetricFamily.Type.GAUGE) {
        Arrays.fill(values, one.offset(), one.offset() + size(one.family()), 0);
      }
    }
  }

  private static int size(MetricFamily family) {
    return switch (family.type()) {
      case COUNTER, GAUGE -> 1;
      case HISTOGRAM -> family.edges().length + 2;
      case SUMMARY -> 2;
    };
  }

  /** Every value in Prometheus text. */
  synchronized Snapshot snapshot() {
    if (exposed.isEmpty()) {
      exposed = samples();
    }
    return new Snapshot(exposed, Arrays.copyOf(values, used));
  }

  private List<ExposedSample> samples() {
    List<ExposedSample> samples = new ArrayList<>();
    for (MetricFamily family : families) {
      List<RegisteredSeries> series =
          List.copyOf(seriesByFamily.get(family.name()).values());
      for (String name : names.of(family.name())) {
        samples.addAll(ExposedSample.of(family, series, new ExposedSample.Form(name, names)));
      }
    }
    return List.copyOf(samples);
  }

  private RegisteredSeries create(MetricFamily family, List<String> labels, double createdSeconds) {
    int size = size(family);
    if (used + size > values.length) {
      values = Arrays.copyOf(values, 2 * values.length);
    }
    RegisteredSeries series =
        new RegisteredSeries(family, List.copyOf(labels), used, createdSeconds);
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
