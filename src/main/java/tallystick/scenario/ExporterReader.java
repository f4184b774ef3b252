package tallystick.scenario;

import java.util.ArrayList;
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
  private static final Pattern LABEL = Pattern.compile(ScenarioKeys.LABEL);

  /** Names of the other columns of the same table. */
  private static final List<String> TAKEN = List.of("client", "engine", "server");

  private ExporterReader() {}

  static List<Exporter> read(Section root) {
    List<Exporter> exporters = new ArrayList<>();
    root.find("exporters").ifPresent(
        value -> value.items().forEach(item -> add(exporters, exporter(item), item)));
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
    Section section = Section.of(item);
    return new Exporter(
        name(section.get("name")),
        url(section.get("url")),
        section.find("labels").map(ExporterReader::labels).orElse(Map.of()),
        section.find("metrics").map(ExporterReader::metrics).orElse(List.of()));
  }

  private static String name(ScenarioValue value) {
    String name = value.text();
    if (TAKEN.contains(name)) {
      throw value.origin().error(
          value.path() + " is \"" + name + "\", a name that the report needs for itself",
          "write for example name: gateway");
    }
    return name;
  }

  private static String url(ScenarioValue value) {
    String url = TargetReader.url(value, Use.METRICS);
    if (Target.isStore(url) && !url.contains("?")) {
      throw value.origin().error(
          value.path() + " queries a Prometheus without selecting an exporter",
          "add labels that select one exporter: " + url + "?job=dcgm&instance=10.0.0.7:9400");
    }
    return url;
  }

  private static Map<String, String> labels(ScenarioValue value) {
    return ScenarioValue.each(eachLabel(value), label -> label.like("gpu: \"0\"").text());
  }

  private static Map<String, ScenarioValue> eachLabel(ScenarioValue value) {
    Map<String, ScenarioValue> labels =
        value.like(value.path() + ": {code: \"200\"}").entries("label names and values");
    labels.forEach((name, label) -> checkLabel(label.origin(), name));
    return labels;
  }

  static void checkLabel(SourceLocation origin, String name) {
    if (!LABEL.matcher(name).matches()) {
      throw origin.error(
          "\"" + name + "\" is not a label name", "use letters, digits and _, no digit first");
    }
  }

  private static List<Metric> metrics(ScenarioValue value) {
    List<Metric> metrics = new ArrayList<>();
    Section.of(value).all().forEach(
        (word, metric) -> metrics.add(
            metric(Quantity.valueOf(word.toUpperCase(Locale.ROOT)), metric)));
    return metrics;
  }

  private static Metric metric(Quantity quantity, ScenarioValue value) {
    Section section = Section.of(value);
    if (!quantity.isCounted()) {
      section.refuse("by", "only requests and errors are split by a label");
    }
    if (!quantity.isTime()) {
      section.refuse("unit", quantity.name().toLowerCase(Locale.ROOT) + " is not a time");
    }
    return new Metric(
        quantity,
        family(quantity, section.get("name").like(value.example())),
        section.find("labels").map(ExporterReader::choices).orElse(Map.of()),
        section.find("by").map(ScenarioValue::text).orElse(""),
        LengthOfTime.nanos("1" + section.get("unit").word()).orElseThrow() / 1e9);
  }

  private static Map<String, List<String>> choices(ScenarioValue value) {
    return ScenarioValue.each(
        eachLabel(value),
        label ->
            label.isList()
                ? label.like("code: [\"500\", \"503\"]").items().stream()
                    .map(item -> item.like("\"500\"").text()).toList()
                : List.of(label.like("code: \"500\"").text()));
  }

  private static String family(Quantity quantity, ScenarioValue value) {
    String name = value.text();
    Optional<String> part =
        List.of("_bucket", "_sum", "_count").stream().filter(name::endsWith).findFirst();
    if (quantity.isTime() && part.isPresent()) {
      String family = name.substring(0, name.length() - part.get().length());
      throw value.origin().error(
          value.path() + " names one series of a histogram: " + name,
          "name the histogram: " + family);
    }
    return name;
  }
}
