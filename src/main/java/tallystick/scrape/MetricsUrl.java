package tallystick.scrape;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.reach.Redaction;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Target;

/**
 * Where a target's metrics are: its own exposition, or the query API of a Prometheus that scrapes
 * it, or a file.
 *
 * <p>A URL whose path ends in {@code /api/v1/query} means a Prometheus, Thanos or Mimir; its query
 * parameters are labels that select the target, as in {@code
 * http://prometheus:9090/api/v1/query?job=vllm&instance=10.0.0.7:8000}.
 *
 * @param uri the URL as given
 * @param credentials what is shown there, and nowhere else
 * @param redaction takes every secret of the run out of what is read there
 */
record MetricsUrl(URI uri, Credentials credentials, Redaction redaction) {
  /** Why it gave nothing, without any secret. */
  String words(IOException failure) {
    return redaction.of(String.valueOf(failure.getMessage()));
  }

  /** Whether it is a Prometheus' query API. */
  boolean isPrometheus() {
    return Target.isStore(uri.toString());
  }

  /** Whether it is a file of this machine. */
  boolean isFile() {
    return "file".equals(uri.getScheme());
  }

  /** Another endpoint of the same Prometheus, for example {@code metadata}. */
  String endpoint(String name) {
    String text = uri.toString();
    int end = text.indexOf('?') < 0 ? text.length() : text.indexOf('?');
    return text.substring(0, end - "query".length()) + name;
  }

  /** The label matchers of the URL; without any, every engine's metrics. */
  String selector() {
    SortedMap<String, String> labels = new TreeMap<>();
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        labels.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
      }
    }
    if (labels.isEmpty()) {
      return MetricVocabulary.standard().families().stream()
          .filter(family -> !family.prefix().isEmpty())
          .map(MetricsUrl::names)
          .collect(Collectors.joining("|", "{__name__=~\"", "\"}"));
    }
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** A regular expression of the names of an engine, whatever a collector made of them. */
  private static String names(EngineFamily family) {
    String before = family.before().isEmpty() ? "" : "(" + String.join("|", family.before()) + ")?";
    return before + family.prefix().replace(":", "[:_]") + ".+";
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
