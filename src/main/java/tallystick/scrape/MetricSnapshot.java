package tallystick.scrape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tallystick.runrecord.BlankValue;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

/**
 * The samples of one scrape put together to typed metrics, in the order of the exposition.
 *
 * <p>Times of creation ({@code _created}) are no metrics and left out, and so are numbers that
 * mean no value. A sample without a type, as
 * a Prometheus stores it, gets the type the vocabulary knows and else counts as a gauge.
 *
 * @param metrics every metric of the scrape
 */
public record MetricSnapshot(List<EngineMetric> metrics) {
  private static final String POSITION = "position";

  public MetricSnapshot {
    metrics = List.copyOf(metrics);
  }

  /** The snapshot of one scrape. */
  public static MetricSnapshot of(List<Sample> samples) {
    Map<Key, Group> groups = new LinkedHashMap<>();
    for (Sample sample : samples) {
      Series series = sample.series();
      if (series.name().endsWith("_created") || BlankValue.isBlank(sample)) {
        continue;
      }
      Type type = typeOf(series);
      Key key = new Key(type, family(series.name(), type), without(series, type));
      groups.computeIfAbsent(key, any -> new Group()).add(sample);
    }
    List<EngineMetric> metrics = new ArrayList<>();
    groups.forEach((key, group) -> metrics.add(group.metric(key)));
    return new MetricSnapshot(metrics);
  }

  /** Only the metrics of an engine, which is what vLLM's own snapshot holds. */
  public MetricSnapshot ofEngine() {
    return new MetricSnapshot(
        metrics.stream()
            .filter(metric -> MetricVocabulary.standard().familyOf(metric.name()).isPresent())
            .toList());
  }

  private static Type typeOf(Series series) {
    if (series.type() != Type.UNTYPED) {
      return series.type();
    }
    return MetricVocabulary.standard()
        .entryOf(series.name())
        .map(MetricVocabulary.Entry::type)
        .orElse(Type.GAUGE);
  }

  private static String family(String name, Type type) {
    return switch (type) {
      case COUNTER -> cut(name, "_total");
      case HISTOGRAM -> cut(cut(cut(name, "_bucket"), "_sum"), "_count");
      case GAUGE, SUMMARY, UNTYPED -> name;
    };
  }

  private static String cut(String name, String ending) {
    return name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
  }

  private static SortedMap<String, String> without(Series series, Type type) {
    SortedMap<String, String> labels = new TreeMap<>(series.labels());
    if (type == Type.HISTOGRAM) {
      labels.remove("le");
    } else if (isVector(series)) {
      labels.remove(POSITION);
    }
    return labels;
  }

  private static boolean isVector(Series series) {
    return series.name().contains("_per_pos") && series.label(POSITION).matches("\\d{1,9}");
  }

  /** What the samples of one metric have in common. */
  private record Key(Type type, String family, SortedMap<String, String> labels) {}

  /** The samples of one metric. */
  private static final class Group {
    private final SortedMap<Double, Double> buckets = new TreeMap<>();
    private final SortedMap<Integer, Double> positions = new TreeMap<>();
    private double count = Double.NaN;
    private double sum = Double.NaN;
    private double value = Double.NaN;
    private String name = "";

    void add(Sample sample) {
      Series series = sample.series();
      value = sample.value();
      name = series.name();
      if (isVector(series)) {
        positions.put(Integer.parseInt(series.label(POSITION)), value);
      } else if (series.name().endsWith("_bucket")) {
        edge(series.label("le")).ifPresent(edge -> buckets.put(edge, value));
      } else if (series.name().endsWith("_sum")) {
        sum = value;
      } else if (series.name().endsWith("_count")) {
        count = value;
      }
    }

    EngineMetric metric(Key key) {
      if (!positions.isEmpty()) {
        List<Double> values = new ArrayList<>(positions.values());
        return new EngineMetric.Vector(key.family(), key.labels(), values);
      }
      return switch (key.type()) {
        case COUNTER -> new EngineMetric.Counter(key.family(), key.labels(), value, name);
        case HISTOGRAM ->
            new EngineMetric.Histogram(key.family(), key.labels(), count, sum, buckets);
        case GAUGE, SUMMARY, UNTYPED -> new EngineMetric.Gauge(key.family(), key.labels(), value);
      };
    }
  }

  /** A bucket's upper edge as a number; {@code 1} and {@code 1.0} are the same edge. */
  private static Optional<Double> edge(String le) {
    try {
      return Optional.of(ExpositionNumber.parse(le));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
