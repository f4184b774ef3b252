package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import tallystick.alerting.AlertForms;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.rules.BurnRate;

/** Writes the objective for Sloth and as OpenSLO, and a route for its severities. */
public final class SloText {
  private final DerivedAlerts derived;
  private final String all;
  private final String good;

  private SloText(DerivedAlerts derived, String model) {
    this.derived = derived;
    String family = derived.query().names().family(derived.query().latency()).orElseThrow();
    String name = "model_name=\"" + model.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    this.all = family + "_count{" + name + "}";
    this.good = family + "_bucket{" + name + "," + derived.query().edgeMatcher() + "}";
  }

  /**
   * Sloth's {@code prometheus/v1}: one objective for one model, because Sloth adds up everything
   * its queries select.
   *
   * @param model the model's name as the engine labels it
   */
  public static String sloth(DerivedAlerts derived, String model) {
    SloText slo = new SloText(derived, model);
    if (derived.derived(Signal.BAD_RATIO).isEmpty()) {
      return slo.refused();
    }
    ObjectNode file = YamlText.keys().put("version", "prometheus/v1").put("service", "vllm");
    ObjectNode objective = YamlText.keys().put("name", slo.word());
    objective.put("objective", percent(derived.request().objective().share()));
    objective.put("description", slo.word() + " within " + slo.within());
    objective
        .putObject("sli")
        .putObject("events")
        .put("error_query", slo.rate(slo.all) + " - " + slo.rate(slo.good))
        .put("total_query", slo.rate(slo.all));
    objective
        .putObject("alerting")
        .put("name", derived.request().alertName("BudgetBurn"));
    YamlText text = slo.head().data("", file).key("", "slos:").item("", objective);
    slo.page(text.key("    ", "page_alert:"));
    ObjectNode ticket = YamlText.keys();
    ticket
        .putObject("ticket_alert")
        .putObject("labels")
        .put("severity", AlertSeverity.TICKET.code());
    return text.data("    ", ticket).toString();
  }

  /** OpenSLO v1. */
  public static String openSlo(DerivedAlerts derived, String model) {
    SloText slo = new SloText(derived, model);
    if (derived.derived(Signal.BAD_RATIO).isEmpty()) {
      return slo.refused();
    }
    ObjectNode file = YamlText.keys().put("apiVersion", "openslo/v1").put("kind", "SLO");
    file.putObject("metadata").put("name", "vllm-" + slo.word());
    ObjectNode spec = file.putObject("spec");
    spec.put("description", slo.word() + " within " + slo.within()).put("service", "vllm");
    spec.put("budgetingMethod", "Occurrences");
    spec.putArray("timeWindow").addObject().put("duration", "30d").put("isRolling", true);
    ObjectNode indicator = spec.putObject("indicator");
    indicator.putObject("metadata").put("name", "vllm-" + slo.word() + "-good");
    ObjectNode ratio = indicator.putObject("spec").putObject("ratioMetric").put("counter", true);
    source(ratio.putObject("good"), "sum(" + slo.good + ")");
    source(ratio.putObject("total"), "sum(" + slo.all + ")");
    spec.putArray("objectives")
        .addObject()
        .put("displayName", slo.word())
        .put("target", derived.request().objective().share());
    return slo.head().data("", file).toString();
  }

  private static void source(ObjectNode side, String query) {
    ObjectNode source = side.putObject("metricSource").put("type", "Prometheus");
    source.putObject("spec").put("query", query);
  }

  /** An Alertmanager configuration with one receiver for each severity, all without a sender. */
  public static String alertmanager() {
    return AlertForms.text("alertmanager.yaml");
  }

  private YamlText head() {
    return new YamlText()
        .comment("", "valid for: " + derived.validity().text())
        .comment("", "edge: " + derived.edge().sentence());
  }

  /** Sloth runs what stands in double braces; in PromQL's texts a brace may be a number. */
  private String rate(String selector) {
    return "sum(rate(" + selector.replace("{{", "{\\x7b") + "[{{.window}}]))";
  }

  /** A file of comments: an objective whose share of bad requests was refused is not handed on. */
  private String refused() {
    YamlText text = head();
    derived
        .refused(Signal.BAD_RATIO)
        .ifPresent(
            refused ->
                text.comment("", "refused: an objective for " + word())
                    .comment("", "  " + refused.code().code() + ": " + refused.missing()));
    return text.toString();
  }

  /** The objective as it is measured, and as it was meant where that is not an edge. */
  private String within() {
    String edge = RuleWords.number(derived.edge().seconds()) + " s";
    return derived.edge().exact()
        ? edge
        : edge
            + ", the edge that stands for "
            + RuleWords.number(derived.request().objective().thresholdSeconds())
            + " s";
  }

  /** Sloth always takes the factors 14.4 and 6; a page that neither can fire is switched off. */
  private void page(YamlText text) {
    double budget = 1 - derived.request().objective().share();
    for (BurnRate rate : BurnRate.PAGES) {
      if (rate.factor() * budget >= 1) {
        text.comment(
            "      ",
            "Sloth's factor %s over %s can never fire at this target; rules.yaml has one that can"
                .formatted(RuleWords.number(rate.factor()), rate.longRange()));
      }
    }
    boolean never = BurnRate.PAGES.stream().allMatch(rate -> rate.factor() * budget >= 1);
    ObjectNode page = YamlText.keys();
    if (never) {
      page.put("disable", true);
    } else {
      page.putObject("labels").put("severity", AlertSeverity.PAGE.code());
    }
    text.data("      ", page);
  }

  private String word() {
    return derived.request().metricWord();
  }

  private static BigDecimal percent(double share) {
    BigDecimal percent = BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros();
    return percent.setScale(Math.max(0, percent.scale()));
  }
}
