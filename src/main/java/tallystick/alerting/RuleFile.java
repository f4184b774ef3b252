package tallystick.alerting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.alerting.YamlNode.Sequence;
import tallystick.promql.Expression;
import tallystick.promql.PromTime;
import tallystick.promql.PromqlException;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;

/**
 * A file of Prometheus rules: a plain rule file, or a Kubernetes {@code PrometheusRule} or {@code
 * VMRule}. For lint a dashboard is one too, whose rules are its queries.
 *
 * @param file as the user named it
 * @param groups in their order
 * @param leftOut what else asks for figures in it
 */
public record RuleFile(String file, List<Group> groups, LeftOut leftOut) {
  /**
   * Queries that are not looked at.
   *
   * @param otherSources of data sources that read no PromQL
   * @param templates that are PromQL only when variables are filled in
   */
  public record LeftOut(int otherSources, int templates) {
    /** All are looked at. */
    public static final LeftOut NOTHING = new LeftOut(0, 0);
  }

  /**
   * A group of rules.
   *
   * @param intervalMillis 0 where it names none
   */
  public record Group(String name, long intervalMillis, List<RuleSource> rules) {
    public Group {
      rules = List.copyOf(rules);
    }
  }

  public RuleFile {
    groups = List.copyOf(groups);
  }

  /** Every rule in file order. */
  public List<RuleSource> rules() {
    return groups.stream().flatMap(group -> group.rules().stream()).toList();
  }

  /** The groups to evaluate; rules whose expression could not be read are left out. */
  public List<RuleGroup> evaluable() {
    return groups.stream()
        .map(
            group ->
                new RuleGroup(
                    group.name(),
                    group.intervalMillis(),
                    group.rules().stream().flatMap(rule -> rule.rule().stream()).toList()))
        .toList();
  }

  /**
   * Reads a rule file. An expression that cannot be read is kept with its fault.
   *
   * @param file the name to use in messages
   * @throws RuleFileException if it is no YAML or no rule file, with the line
   */
  public static RuleFile read(String file, String text) {
    return of(file, YamlReader.read(file, text));
  }

  /** What {@link #read} makes of documents that were read. */
  public static RuleFile of(String file, List<YamlNode> documents) {
    return new Reader(file).file(documents);
  }

  private record Reader(String file) {

    RuleFile file(List<YamlNode> documents) {
      List<Group> groups = new ArrayList<>();
      for (YamlNode document : documents) {
        Mapping root = mapping(document, "a rule file");
        Mapping holder = root.get("spec").map(spec -> mapping(spec, "spec")).orElse(root);
        YamlNode list =
            holder.get("groups").orElseThrow(() -> fault(root.line(), "has no key groups"));
        boolean isMetricsQl = root.text("kind").equals("VMRule");
        for (YamlNode group : sequence(list, "groups")) {
          groups.add(group(mapping(group, "a group"), isMetricsQl));
        }
      }
      return new RuleFile(file, groups, LeftOut.NOTHING);
    }

    private Group group(Mapping node, boolean isMetricsQl) {
      String name = required(node, "name").text();
      long interval = duration(node, "interval");
      List<RuleSource> rules = new ArrayList<>();
      for (YamlNode rule : node.get("rules").map(r -> sequence(r, "rules")).orElse(List.of())) {
        rules.add(rule(name, mapping(rule, "a rule"), isMetricsQl));
      }
      return new Group(name, interval, rules);
    }

    private RuleSource rule(String group, Mapping node, boolean isMetricsQl) {
      boolean alert = node.get("alert").isPresent();
      if (alert == node.get("record").isPresent()) {
        throw fault(node.line(), "a rule needs either alert or record");
      }
      Scalar name = required(node, alert ? "alert" : "record");
      Scalar text = required(node, "expr");
      RuleSource.Fault fault = null;
      Expression expression = null;
      try {
        expression = PromqlParser.parse(text.text());
      } catch (PromqlException e) {
        fault = RuleSource.Fault.of(e, isMetricsQl);
      }
      return new RuleSource(
          alert ? RuleSource.Kind.ALERT : RuleSource.Kind.RECORDING,
          name.text(),
          group,
          node.line(),
          QueryText.plain(text),
          Optional.ofNullable(expression),
          Optional.ofNullable(fault),
          duration(node, "for"),
          duration(node, "keep_firing_for"),
          texts(node, "labels"),
          texts(node, "annotations"));
    }

    private long duration(Mapping node, String key) {
      return scalar(node, key)
          .map(
              text ->
                  PromTime.millis(text.text())
                      .orElseThrow(
                          () ->
                              fault(
                                  text.line(),
                                  key + " is not a duration, or is out of range: " + text.text())))
          .orElse(0L);
    }

    private Map<String, String> texts(Mapping node, String key) {
      Map<String, String> texts = new HashMap<>();
      node.get(key)
          .ifPresent(
              map ->
                  mapping(map, key)
                      .entries()
                      .forEach((name, value) -> texts.put(name, text(value, name).text())));
      return texts;
    }

    private Scalar required(Mapping node, String key) {
      return scalar(node, key)
          .filter(found -> !found.text().isBlank())
          .orElseThrow(() -> fault(node.line(), "lacks the key " + key));
    }

    private Optional<Scalar> scalar(Mapping node, String key) {
      return node.get(key).map(found -> text(found, key));
    }

    private Scalar text(YamlNode node, String what) {
      return as(node, what, "a text", Scalar.class);
    }

    private Mapping mapping(YamlNode node, String what) {
      return as(node, what, "keys and values", Mapping.class);
    }

    private List<YamlNode> sequence(YamlNode node, String what) {
      return as(node, what, "a list", Sequence.class).items();
    }

    private <T extends YamlNode> T as(YamlNode node, String what, String kind, Class<T> type) {
      return Optional.of(node)
          .filter(type::isInstance)
          .map(type::cast)
          .orElseThrow(() -> fault(node.line(), what + " must be " + kind));
    }

    private RuleFileException fault(int line, String message) {
      return new RuleFileException(file, line, message);
    }
  }
}
