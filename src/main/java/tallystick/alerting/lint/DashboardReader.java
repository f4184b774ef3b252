package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.QueryText;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFile.Group;
import tallystick.alerting.RuleFile.LeftOut;
import tallystick.alerting.RuleSource;
import tallystick.alerting.YamlNode;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.alerting.YamlNode.Sequence;
import tallystick.alerting.YamlReader;
import tallystick.promql.Expression;
import tallystick.promql.PromqlException;

/**
 * Finds the PromQL of dashboards and of the alerts that Grafana manages. Their formats put a query
 * at many depths and change with each release, so it is known by what stands around it.
 */
final class DashboardReader {
  /** What a template variable asks for: the series of a label, or a result. */
  private static final Pattern VALUES =
      Pattern.compile(
          "(?s)\\s*+(?:label_values\\((.+),\\s*+(\\w++)\\s*+|query_result\\((.*))\\)\\s*+");

  /** How a query of Loki goes on after its selector, which PromQL never does. */
  private static final Pattern LOGQL =
      Pattern.compile("\\|[=~]|\\}\\s*(!=|!~|\\|)\\s*[\"`]|\\|\\s*\\w");

  private static final Pattern RULE = Pattern.compile("(.*\\.)?groups\\[\\d+]\\.rules\\[\\d+]");
  private static final Pattern TARGET = Pattern.compile(".*\\btargets\\[\\d+\\]");
  private static final Pattern LISTED =
      Pattern.compile(
          ".*\\b(templat|variable|annotation)\\w*+(?:\\.list)?\\[\\d+\\](?:\\.spec)?");

  /** A plugin that asks; Grafana's own word for any query tells nothing of that. */
  private static final Pattern PERSES = Pattern.compile("(?!DataQuery).*Query");

  private static final Mapping NOTHING = new Mapping(Map.of(), 1);

  /** What a target has before anybody wrote a query into it. */
  private static final Set<String> NOT_ASKED = Set.of("refId", "datasource", "hide");

  private final String file;
  private final String whole;
  private final DataSources sources = new DataSources();
  private final List<RuleSource> queries = new ArrayList<>();
  private int others;
  private int templates;
  private boolean isDashboard;

  DashboardReader(String file, String whole) {
    this.file = file;
    this.whole = whole;
  }

  /**
   * Where the reader is.
   *
   * @param title of the panel, alert, variable or annotation
   * @param source the data source that is asked, where a query names none
   */
  private record Place(String path, String title, String source) {
    Place at(String key) {
      return new Place(path.isEmpty() ? key : path + "." + key, title, source);
    }

    Place at(int index) {
      return new Place(path + "[" + index + "]", title, source);
    }

    String name() {
      return title.isEmpty() ? path : title + " (" + path + ")";
    }
  }

  /** Reads a document; whether it is a dashboard or has queries of one. */
  boolean read(YamlNode document) {
    int before = queries.size() + others + templates;
    isDashboard = false;
    sources.learn(document);
    visit(document, new Place("", "", DataSources.UNKNOWN));
    return isDashboard || queries.size() + others + templates > before;
  }

  /** All that was found. */
  RuleFile found(List<Group> more) {
    List<Group> groups = new ArrayList<>(more);
    groups.add(new Group("", 0, queries));
    return new RuleFile(file, groups, new LeftOut(others, templates));
  }

  private void visit(YamlNode node, Place place) {
    switch (node) {
      case Scalar scalar -> embedded(scalar, place);
      case Sequence list -> {
        for (int i = 0; i < list.items().size(); i++) {
          visit(list.items().get(i), place.at(i));
        }
      }
      case Mapping map -> visit(map, place);
    }
  }

  /** A dashboard as the text of a Kubernetes object. */
  private void embedded(Scalar scalar, Place place) {
    if (scalar.isBlock() && scalar.text().contains("\"panels\"")) {
      for (YamlNode document : YamlReader.within(file, whole, scalar)) {
        sources.learn(document);
        visit(document, place);
      }
    }
  }

  private void visit(Mapping map, Place outer) {
    Place place =
        new Place(
            outer.path(), title(map, outer), sources.of(map).orElse(outer.source()));
    isDashboard |=
        map.get("panels").filter(panels -> !(panels instanceof Scalar)).isPresent()
            && map.get("groups").isEmpty();
    boolean isInGroup = RULE.matcher(place.path()).matches() && map.scalar("expr").isPresent();
    if (map.get("alert").isPresent() || map.get("record").isPresent() || isInGroup) {
      return; // Prometheus's own rule, which is read as one.
    }
    if (isOther(map, place)) {
      others++;
      return;
    }
    for (Map.Entry<String, YamlNode> entry : map.entries().entrySet()) {
      Place inner = place.at(entry.getKey());
      if (entry.getValue() instanceof Scalar scalar && entry.getKey().equals("expr")) {
        query(scalar, scalar.text(), inner);
      } else {
        visit(entry.getValue(), inner);
      }
    }
    variable(map, place);
    perses(map, place);
  }

  /** A query of a panel or of an alert that has no PromQL at all. */
  private static boolean isOther(Mapping map, Place place) {
    boolean ofAlert = map.get("refId").isPresent() && map.get("model").isPresent();
    boolean ofPanel =
        TARGET.matcher(place.path()).matches() && !NOT_ASKED.containsAll(map.entries().keySet());
    return ofAlert && map.mapping("model").flatMap(model -> model.scalar("expr")).isEmpty()
        || ofPanel && map.get("expr").isEmpty() && !DataSources.isPrometheus(place.source());
  }

  private static String title(Mapping map, Place outer) {
    Matcher listed = LISTED.matcher(outer.path());
    if (listed.matches() && !map.text("name").isEmpty()) {
      String kind = listed.group(1).equals("annotation") ? "annotation " : "variable ";
      return kind + map.text("name");
    }
    String display =
        map.text("kind").equals("Panel")
            ? map.mapping("spec").flatMap(s -> s.mapping("display")).orElse(NOTHING).text("name")
            : map.text("title");
    return display.isEmpty() ? outer.title() : display;
  }

  /** A template variable of Grafana, whose query stands in the variable or deeper. */
  private void variable(Mapping map, Place place) {
    if (!LISTED.matcher(place.path()).matches()) {
      return;
    }
    Mapping asked = map;
    Place at = place;
    for (String key : List.of("query", "spec")) {
      Optional<Mapping> deeper = asked.mapping(key);
      at = deeper.isPresent() ? at.at(key) : at;
      asked = deeper.orElse(asked);
    }
    Optional<Scalar> text = asked.scalar("query");
    Matcher values = VALUES.matcher(text.map(Scalar::text).orElse(""));
    if (values.matches()) {
      String query =
          values.group(1) == null
              ? values.group(3)
              : QueryText.labelValues(values.group(1), values.group(2));
      query(text.get(), query, at.at("query"));
    }
  }

  /** A query, or a variable's selectors, of Perses. */
  private void perses(Mapping map, Place place) {
    String kind = map.text("kind");
    Mapping spec = map.mapping("spec").orElse(NOTHING);
    Optional<Scalar> query = spec.scalar("query").filter(scalar -> PERSES.matcher(kind).matches());
    if (query.isPresent() && kind.startsWith("Prometheus")) {
      query(query.get(), query.get().text(), place.at("spec.query"));
    } else if (query.isPresent()) {
      others++;
    }
    if (kind.equals("PrometheusLabelValuesVariable")
        && spec.get("matchers").orElse(NOTHING) instanceof Sequence matchers) {
      for (int i = 0; i < matchers.items().size(); i++) {
        if (matchers.items().get(i) instanceof Scalar matcher) {
          query(matcher, matcher.text(), place.at("spec.matchers").at(i));
        }
      }
    }
  }

  private void query(Scalar scalar, String text, Place place) {
    if (text.isBlank()) {
      return;
    }
    if (DataSources.isOther(place.source())) {
      others++;
      return;
    }
    // Only in a block is each line one of the file.
    String lines = scalar.isBlock() ? text : text.replace('\n', '\r');
    List<QueryText> readings = DashboardVariables.readings(lines, scalar);
    PromqlException fault = null;
    for (QueryText reading : readings) {
      try {
        DashboardVariables.Parsed parsed = DashboardVariables.parsed(reading);
        queries.add(source(place, parsed.text(), parsed.expression(), null));
        return;
      } catch (PromqlException e) {
        fault = fault == null ? e : fault;
      }
    }
    if (place.source().equals(DataSources.UNKNOWN) && LOGQL.matcher(text).find()) {
      others++;
    } else if (readings.size() != 1) {
      templates++;
    } else {
      boolean isMetricsQl = place.source().contains("victoria");
      RuleSource.Fault why = RuleSource.Fault.of(fault, isMetricsQl);
      queries.add(source(place, readings.getFirst(), null, why));
    }
  }

  private static RuleSource source(
      Place place, QueryText text, Expression read, RuleSource.Fault fault) {
    return new RuleSource(
        RuleSource.Kind.QUERY, place.name(), "", text.scalar().line(), text,
        Optional.ofNullable(read), Optional.ofNullable(fault), 0, 0, Map.of(), Map.of());
  }
}
