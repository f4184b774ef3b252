package tallystick.alerting.lint;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.YamlNode;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.alerting.YamlNode.Sequence;

/** Which data source a query asks, as far as the file says. */
final class DataSources {
  /** Nothing is said of it: it may read PromQL. */
  static final String UNKNOWN = "";

  private static final Pattern PROMETHEUS =
      Pattern.compile("prometheus|mimir|thanos|cortex|victoriametrics-metrics");

  /** Names that nobody gives to a Prometheus; one by which no other is known says nothing. */
  private static final Pattern OTHER =
      Pattern.compile(
          "loki|victoria-?logs|victorialogs|tempo|jaeger|zipkin|pyroscope|elastic|opensearch|influx"
              + "|graphite|cloudwatch|stackdriver|clickhouse|mysql|postgres|mssql|sqlite|bigquery"
              + "|athena|infinity|testdata|__expr__");

  /** Grafana's own, which only tell that each query names another one. */
  private static final Pattern MIXED = Pattern.compile("datasource|-- (mixed|grafana) --");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w++).*|\\[\\[(\\w++).*");

  private final Map<String, String> byVariable = new HashMap<>();

  /** Learns the variables of a document that stand for data sources. */
  void learn(YamlNode node) {
    if (node instanceof Sequence list) {
      list.items().forEach(this::learn);
    }
    if (node instanceof Mapping map) {
      boolean isVariable = map.text("type").equals("datasource") && map.get("query").isPresent();
      String type = map.text(isVariable ? "query" : "pluginId");
      if (!type.isEmpty()) {
        byVariable.put(map.text("name"), type);
      }
      map.entries().values().forEach(this::learn);
    }
  }

  /** The kind of data source that a part of the file names; empty if it names none. */
  Optional<String> of(Mapping map) {
    Optional<String> named =
        switch (map.entries().get("datasource")) {
          case Mapping source ->
              source.text("type").isEmpty()
                  ? Optional.of(kind(source.text("uid") + source.text("kind")))
                  : Optional.of(plain(source.text("type")));
          case Scalar source -> Optional.of(kind(source.text()));
          case Sequence ignored -> Optional.empty();
          case null -> Optional.empty();
        };
    return named
        .filter(source -> !source.equals(UNKNOWN))
        .or(() -> map.scalar("datasourceUid").map(uid -> kind(uid.text())))
        .or(() -> map.scalar("group").map(group -> kind(group.text())))
        .or(() -> named);
  }

  /** Whether a data source reads something else than PromQL. */
  static boolean isOther(String source) {
    return !source.equals(UNKNOWN) && !isPrometheus(source);
  }

  /** Whether a data source is known to read PromQL. */
  static boolean isPrometheus(String source) {
    return PROMETHEUS.matcher(source).find();
  }

  private String kind(String name) {
    Matcher variable = VARIABLE.matcher(name);
    String meant = name;
    if (variable.matches()) {
      String key = variable.group(1) == null ? variable.group(2) : variable.group(1);
      meant = byVariable.getOrDefault(key, key);
    }
    String plain = plain(meant);
    boolean isKnown = OTHER.matcher(plain).find() || PROMETHEUS.matcher(plain).find();
    return isKnown ? plain : UNKNOWN;
  }

  private static String plain(String type) {
    String plain = type.toLowerCase(Locale.ROOT);
    return MIXED.matcher(plain).matches() ? UNKNOWN : plain;
  }
}
