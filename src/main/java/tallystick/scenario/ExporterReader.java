package tallystick.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.reach.ServerUrl.Use;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

/** Reads the endpoints that are scraped beside the targets. */
final class ExporterReader {
  private static final String EXAMPLE = "exporters: [{name: gpu, url: http://10.0.0.7:9400/metrics}]";
  private static final List<String> KEYS = List.of("name", "url", "labels", "metrics");
  private static final List<String> METRIC_KEYS = List.of("name", "labels", "by", "unit");
  private static final List<String> QUANTITIES =
      Arrays.stream(Quantity.values()).map(ExporterReader::word).toList();
  private static final Map<String, Double> UNITS = Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");
  private static final Pattern METRIC = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  /** Names of the other columns of the same table. */
  private static final List<String> TAKEN = List.of("client", "engine", "server");

  private ExporterReader() {}

  static List<Exporter> read(Section root) {
    List<Exporter> exporters = new ArrayList<>();
    root.find("exporters")
        .ifPresent(
            value -> {
              for (ScenarioValue item : value.items(EXAMPLE)) {
                add(exporters, exporter(item), item);
              }
            });
    return List.copyOf(exporters);
  }

  private static void add(List<Exporter> exporters, Exporter added, ScenarioValue item) {
    if (exporters.stream().anyMatch(known -> known.name().equals(added.name()))) {
      throw item.origin().error(
          "two exporters are named \"" + added.name() + "\"", "give each a name of its own");
    }
    exporters.add(added);
  }

  private static Exporter exporter(ScenarioValue item) {
    if (!item.isMapping()) {
      throw item.wrong("keys and values", EXAMPLE);
    }
    Section section = Section.of(item, KEYS);
    return new Exporter(
        name(section.require("name", "name: gpu")),
        url(section.require("url", "url: http://10.0.0.7:9400/metrics")),
        section.find("labels").map(ExporterReader::labels).orElse(Map.of()),
        section.find("metrics").map(ExporterReader::metrics).orElse(List.of()));
  }

  private static String name(ScenarioValue value) {
    String name = value.text("name: gpu");
    if (!NAME.matcher(name).matches()) {
      throw value.wrong("a name of letters, digits, _ . and -", "name: gpu");
    }
    if (TAKEN.contains(name)) {
      throw value.origin().error(
          value.path() + " is \"" + name + "\", which the report uses for itself",
          "write for example name: gateway");
    }
    return name;
  }

  private static String url(ScenarioValue value) {
    String url = TargetReader.url(value, Use.METRICS);
    if (Target.isStore(url) && !url.contains("?")) {
      throw value.origin().error(
          value.path() + " asks a Prometheus for nothing in particular",
          "add labels that select one exporter: " + url + "?job=dcgm&instance=10.0.0.7:9400");
    }
    return url;
  }

  private static Map<String, String> labels(ScenarioValue value) {
    Map<String, String> labels = new LinkedHashMap<>();
    eachLabel(value).forEach((name, label) -> labels.put(name, label.text("gpu: \"0\"")));
    return labels;
  }

  private static Map<String, ScenarioValue> eachLabel(ScenarioValue value) {
    if (!(value.node() instanceof Node.Mapping mapping)) {
      throw value.wrong("label names and values", value.path() + ": {code: \"200\"}");
    }
    Map<String, ScenarioValue> labels = new LinkedHashMap<>();
    mapping.entries().forEach(
        (name, entry) -> {
          if (!LABEL.matcher(name).matches()) {
            throw entry.origin().error(
                "\"" + name + "\" is no label name", "use letters, digits and _, no digit first");
          }
          String path = value.path() + "." + name;
          labels.put(name, new ScenarioValue(entry.origin(), path, entry.value()));
        });
    return labels;
  }

  private static List<Metric> metrics(ScenarioValue value) {
    if (!value.isMapping()) {
      throw value.wrong(
          "meanings and metric names", "metrics: {requests: envoy_cluster_upstream_rq_total}");
    }
    List<Metric> metrics = new ArrayList<>();
    Section.of(value, QUANTITIES).all().forEach(
        (word, metric) -> metrics.add(
            metric(Quantity.valueOf(word.toUpperCase(Locale.ROOT)), metric)));
    return metrics;
  }

  private static Metric metric(Quantity quantity, ScenarioValue value) {
    if (!value.isMapping()) {
      return new Metric(quantity, family(quantity, value), Map.of(), "", 1);
    }
    Section section = Section.of(value, METRIC_KEYS);
    String example = "name: envoy_cluster_upstream_rq_total";
    if (!quantity.isCounted()) {
      section.refuse("by", "only requests and errors are told apart by a label");
    }
    if (!quantity.isTime()) {
      section.refuse("unit", word(quantity) + " is no time");
    }
    return new Metric(
        quantity,
        family(quantity, section.require("name", example)),
        section.find("labels").map(ExporterReader::choices).orElse(Map.of()),
        section.find("by").map(ExporterReader::labelName).orElse(""),
        section.find("unit").map(ExporterReader::unit).orElse(1.0));
  }

  private static Map<String, List<String>> choices(ScenarioValue value) {
    Map<String, List<String>> choices = new LinkedHashMap<>();
    eachLabel(value).forEach(
        (name, label) ->
            choices.put(
                name,
                label.isList()
                    ? label.items("code: [\"500\", \"503\"]").stream()
                        .map(item -> item.text("\"500\"")).toList()
                    : List.of(label.text("code: \"500\""))));
    return choices;
  }

  private static String family(Quantity quantity, ScenarioValue value) {
    String example = word(quantity) + ": http_requests_total";
    String name = value.text(example);
    if (!METRIC.matcher(name).matches()) {
      throw value.wrong("a metric name", example);
    }
    Optional<String> part =
        List.of("_bucket", "_sum", "_count").stream().filter(name::endsWith).findFirst();
    if (quantity.isTime() && part.isPresent()) {
      String family = name.substring(0, name.length() - part.get().length());
      throw value.origin().error(
          value.path() + " names a part of a histogram: " + name, "name the whole: " + family);
    }
    return name;
  }

  private static String labelName(ScenarioValue value) {
    String name = value.text("by: code");
    if (!LABEL.matcher(name).matches()) {
      throw value.wrong("a label name", "by: code");
    }
    return name;
  }

  private static double unit(ScenarioValue value) {
    String word = value.text("unit: ms");
    if (!UNITS.containsKey(word)) {
      throw value.wrong("s, ms or us", "unit: ms");
    }
    return UNITS.get(word);
  }

  private static String word(Quantity quantity) {
    return quantity.name().toLowerCase(Locale.ROOT);
  }
}
