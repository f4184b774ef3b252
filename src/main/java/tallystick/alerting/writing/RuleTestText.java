package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.alerting.review.PromiseReview;
import tallystick.alerting.review.RuleTest;
import tallystick.alerting.review.RunOnGrid;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.Labels;
import tallystick.promql.PromTime;
import tallystick.promql.PrometheusVersion;

/**
 * Writes {@code rules_test.yaml}: a recorded run as input of {@code promtool test rules}, in two
 * groups. The first holds what the alerts promise the users of that run: when each must be silent
 * and when it must fire follows from the client's requests, not from the rules. The second holds
 * what our own replay says must fire over the run; a moment at which Prometheus 2.x and 3.x would
 * differ is left out.
 */
public final class RuleTestText {
  private static final long EVERY_MILLIS = 5 * 60_000L; // docs/alerts.md, Agreement
  private static final long LEAST_MOMENTS = 12;

  private final RuleTest test;
  private final RunOnGrid grid;
  private final YamlText text = new YamlText();

  private RuleTestText(RuleTest test) {
    this.test = test;
    this.grid = test.grid();
  }

  /**
   * The text of a test.
   *
   * @param rulesFile name of the rule file beside it
   */
  public static String of(RuleTest test, String rulesFile) {
    RuleTestText writer = new RuleTestText(test);
    writer.head(rulesFile);
    writer.promises();
    writer.agreement();
    return writer.text.toString();
  }

  private void head(String rulesFile) {
    text.comment("", "Replays run " + grid.run() + ". Check: promtool test rules");
    PromiseReview promises = test.promises();
    text.comment("", promises.sentence() + ".");
    text.comment("", "Times begin at the first scrape. The client judges its users.");
    for (PromiseReview.Tested broken : promises.broken()) {
      text.comment("", "BROKEN, not tested below: " + broken.sentence());
    }
    promises.blunt().forEach(line -> text.comment("", "BLUNT: " + line));
    promises.untested().forEach(line -> text.comment("", "no promise: " + line));
    ObjectNode keys = YamlText.keys();
    keys.putArray("rule_files").add(rulesFile);
    text.data("", keys.put("evaluation_interval", PromTime.text(grid.stepMillis())));
    text.key("", "tests:");
  }

  private void begin(String name) {
    ObjectNode keys = YamlText.keys().put("name", name + " " + grid.run());
    text.item("", keys.put("interval", PromTime.text(grid.stepMillis())));
  }

  private void promises() {
    begin("promises kept to the users of");
    text.key("  ", "input_series: &recorded");
    grid.lines()
        .forEach(
            (series, values) ->
                text.item("  ", YamlText.keys().put("series", series).put("values", values)));
    List<PromiseReview.Tested> kept = test.promises().kept();
    section("alert_rule_test", kept.stream().noneMatch(promise -> !promise.fires()));
    kept.stream().filter(promise -> !promise.fires()).forEach(this::silence);
    section("promql_expr_test", kept.stream().noneMatch(PromiseReview.Tested::fires));
    kept.stream().filter(PromiseReview.Tested::fires).forEach(this::firing);
  }

  private void section(String name, boolean empty) {
    text.key("  ", name + (empty ? ": []" : ":"));
  }

  private void silence(PromiseReview.Tested promise) {
    text.comment("  ", promise.sentence());
    for (long at : promise.moments()) {
      ObjectNode keys = YamlText.keys().put("alertname", promise.alert());
      keys.put("eval_time", PromTime.text(at)).putArray("exp_alerts");
      text.item("  ", keys);
    }
  }

  /** Not by exp_alerts: that would need the annotations, and those hold the rule's own value. */
  private void firing(PromiseReview.Tested promise) {
    text.comment("  ", promise.sentence());
    String selector = "ALERTS{alertname=\"%s\",alertstate=\"firing\"}".formatted(promise.alert());
    for (long at : promise.moments()) {
      expectation(
          promise.labels().isPresent() ? selector : "count(" + selector + ") > bool 0",
          at,
          promise.labels().map(RuleTestText::written).orElse("{}"),
          1);
    }
  }

  private void agreement() {
    begin("agreement with our own replay of");
    text.key("  ", "input_series: *recorded").key("  ", "promql_expr_test:");
    long step = grid.stepMillis();
    long dozen = Math.max(step, grid.endMillis() / LEAST_MOMENTS / step * step);
    long every = Math.min(EVERY_MILLIS, dozen);
    for (RuleSet.Rule alert : test.set().alerts()) {
      for (long at = 0; at <= grid.endMillis(); at += every) {
        long expected = grid.firing(PrometheusVersion.V2_42, alert.name(), at);
        if (expected == grid.firing(PrometheusVersion.V3, alert.name(), at)) {
          expectation(
              "count(ALERTS{alertname=\"%s\",alertstate=\"firing\"}) or vector(0)"
                  .formatted(alert.name()),
              at, "{}", expected);
        }
      }
    }
  }

  private static String written(Labels labels) {
    return labels.values().entrySet().stream()
        .filter(label -> !label.getKey().equals(Labels.NAME))
        .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
        .collect(Collectors.joining(", ", labels.name() + "{", "}"));
  }

  private void expectation(String expression, long at, String labels, long value) {
    ObjectNode keys = YamlText.keys().put("expr", expression);
    keys.put("eval_time", PromTime.text(at));
    keys.putArray("exp_samples").addObject().put("labels", labels).put("value", value);
    text.item("  ", keys);
  }
}
