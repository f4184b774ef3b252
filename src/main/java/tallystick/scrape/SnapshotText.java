package tallystick.scrape;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import tallystick.scenario.Formatted;

/** A snapshot as lines for a reader, or as JSON for a program. */
public final class SnapshotText {
  private static final double WHOLE_LIMIT = 1e15; // whole doubles are exact below
  private static final double PLAIN_FROM = 1e-6; // smaller ones have an exponent
  private static final MathContext DIGITS = new MathContext(6);

  private SnapshotText() {}

  /** One line per metric: type, name with labels, value; a histogram shows count and sum. */
  public static List<String> lines(MetricSnapshot snapshot) {
    return snapshot.metrics().stream().map(SnapshotText::line).toList();
  }

  /** The metric's name with its labels as an exposition writes them. */
  public static String named(String name, SortedMap<String, String> labels) {
    if (labels.isEmpty()) {
      return name;
    }
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
        .collect(Collectors.joining(",", name + "{", "}"));
  }

  /** As an exposition writes it, so that no value begins a line of its own. */
  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** A number with at most six digits, a whole one with all of its digits. */
  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < WHOLE_LIMIT) {
      return Long.toString((long) value);
    }
    if (!Double.isFinite(value) || Math.abs(value) < PLAIN_FROM || Math.abs(value) >= WHOLE_LIMIT) {
      return Double.toString(value);
    }
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  private static String line(EngineMetric metric) {
    String value =
        switch (metric) {
          case EngineMetric.Counter counter -> number(counter.value());
          case EngineMetric.Gauge gauge -> number(gauge.value());
          case EngineMetric.Vector vector ->
              vector.values().stream().map(SnapshotText::number).toList().toString();
          case EngineMetric.Histogram histogram ->
              "count " + number(histogram.count()) + ", sum " + number(histogram.sum());
        };
    String name =
        metric instanceof EngineMetric.Counter counter ? counter.exposedName() : metric.name();
    return Formatted.of("%-9s  %s  %s", kind(metric), named(name, metric.labels()), value);
  }

  private static String kind(EngineMetric metric) {
    return switch (metric) {
      case EngineMetric.Counter c -> "counter";
      case EngineMetric.Gauge g -> "gauge";
      case EngineMetric.Vector v -> "vector";
      case EngineMetric.Histogram h -> "histogram";
    };
  }

  /**
   * The snapshot as one line of JSON.
   *
   * @param url what was scraped
   * @param utcNanos when, UTC nanoseconds since 1970
   * @param rules limits to warn of, each with {@code fires}, {@code no} or {@code unknown}
   */
  public static String json(
      MetricSnapshot snapshot, String url, long utcNanos, Map<String, String> rules) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode().put("url", url).put("utc_ns", utcNanos);
    ArrayNode metrics = root.putArray("metrics");
    for (EngineMetric metric : snapshot.metrics()) {
      ObjectNode node = metrics.addObject().put("type", kind(metric)).put("name", metric.name());
      ObjectNode labels = node.putObject("labels");
      metric.labels().forEach(labels::put);
      putValue(node, metric);
    }
    ObjectNode judged = root.putObject("warnings");
    rules.forEach(judged::put);
    try {
      return mapper.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a snapshot could not be written as JSON", e);
    }
  }

  private static void putValue(ObjectNode node, EngineMetric metric) {
    switch (metric) {
      case EngineMetric.Counter counter -> put(node, "value", counter.value());
      case EngineMetric.Gauge gauge -> put(node, "value", gauge.value());
      case EngineMetric.Vector vector -> vector.values().forEach(node.withArray("values")::add);
      case EngineMetric.Histogram histogram -> {
        put(node, "count", histogram.count());
        put(node, "sum", histogram.sum());
        ObjectNode buckets = node.putObject("buckets");
        for (Map.Entry<Double, Double> bucket : histogram.buckets().entrySet()) {
          String edge = bucket.getKey().isInfinite() ? "+Inf" : bucket.getKey().toString();
          put(buckets, edge, bucket.getValue());
        }
      }
    }
  }

  /** JSON knows neither NaN nor infinity, so they are written as Prometheus writes them. */
  private static void put(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.put(name, "NaN");
    } else if (Double.isInfinite(value)) {
      node.put(name, value > 0 ? "+Inf" : "-Inf");
    } else if (value == Math.rint(value) && Math.abs(value) < WHOLE_LIMIT) {
      node.put(name, (long) value);
    } else {
      node.put(name, value);
    }
  }
}
