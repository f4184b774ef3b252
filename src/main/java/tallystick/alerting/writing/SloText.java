package tallystick.alerting.writing;

import java.util.Locale;
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
    return slo.head()
        + """
        version: prometheus/v1
        service: vllm
        slos:
        - name: %s
          objective: %s
          description: '%s within %s'
          sli:
            events:
              error_query: %s
              total_query: %s
          alerting:
            name: VLLM%sBudgetBurn
            page_alert:
        %s    ticket_alert:
              labels:
                severity: ticket
        """
            .formatted(
                slo.word(), percent(derived.request().objective().share()), slo.word(),
                slo.within(),
                RuleSetText.quoted(slo.rate(slo.all) + " - " + slo.rate(slo.good)),
                RuleSetText.quoted(slo.rate(slo.all)),
                slo.word().toUpperCase(Locale.ROOT), slo.page());
  }

  /** OpenSLO v1. */
  public static String openSlo(DerivedAlerts derived, String model) {
    SloText slo = new SloText(derived, model);
    if (derived.derived(Signal.BAD_RATIO).isEmpty()) {
      return slo.refused();
    }
    return slo.head()
        + """
        apiVersion: openslo/v1
        kind: SLO
        metadata:
          name: vllm-%s
        spec:
          description: '%s within %s'
          service: vllm
          budgetingMethod: Occurrences
          timeWindow:
          - duration: 30d
            isRolling: true
          indicator:
            metadata:
              name: vllm-%s-good
            spec:
              ratioMetric:
                counter: true
                good:
                  metricSource:
                    type: Prometheus
                    spec:
                      query: %s
                total:
                  metricSource:
                    type: Prometheus
                    spec:
                      query: %s
          objectives:
          - displayName: %s
            target: %s
        """
            .formatted(
                slo.word(), slo.word(), slo.within(), slo.word(),
                RuleSetText.quoted("sum(" + slo.good + ")"),
                RuleSetText.quoted("sum(" + slo.all + ")"), slo.word(),
                derived.request().objective().share());
  }

  /** An Alertmanager configuration with one receiver for each severity, all without a sender. */
  public static String alertmanager() {
    return """
        # An example: give each receiver its own pager, chat or ticket configuration.
        route:
          receiver: warnings
          group_by: ['alertname', 'cluster', 'model_name']
          routes:
          - receiver: pager
            matchers: ['severity="page"']
          - receiver: tickets
            matchers: ['severity="ticket"']
        inhibit_rules:
        - source_matchers: ['severity="page"']
          target_matchers: ['severity="warning"']
          equal: ['cluster', 'model_name']
        receivers:
        - name: pager
        - name: tickets
        - name: warnings
        """;
  }

  private String head() {
    StringBuilder text = new StringBuilder();
    RuleSetText.comment(text, "", "valid for: " + derived.validity().text());
    RuleSetText.comment(text, "", "edge: " + derived.edge().sentence());
    return text.toString();
  }

  private String rate(String selector) {
    return "sum(rate(" + selector + "[{{.window}}]))";
  }

  /** A file of comments: an objective whose share of bad requests was refused is not handed on. */
  private String refused() {
    StringBuilder text = new StringBuilder(head());
    derived
        .refused(Signal.BAD_RATIO)
        .ifPresent(
            refused -> {
              RuleSetText.comment(text, "", "refused: an objective for " + word());
              RuleSetText.comment(
                  text, "", "  " + refused.code().word() + ": " + refused.missing());
            });
    return text.toString();
  }

  /** The objective as it is measured, and as it was meant where that is no edge. */
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
  private String page() {
    double budget = 1 - derived.request().objective().share();
    StringBuilder text = new StringBuilder();
    for (BurnRate rate : BurnRate.PAGES) {
      if (rate.factor() * budget >= 1) {
        RuleSetText.comment(
            text, "      ",
            "Sloth's factor %s over %s can never fire at this target; rules.yaml has one that can"
                .formatted(RuleWords.number(rate.factor()), rate.longRange()));
      }
    }
    boolean never = BurnRate.PAGES.stream().allMatch(rate -> rate.factor() * budget >= 1);
    return text + (never ? "      disable: true\n" : "      labels:\n        severity: page\n");
  }

  private String word() {
    return derived.request().metricWord();
  }

  private static String percent(double share) {
    return java.math.BigDecimal.valueOf(share)
        .movePointRight(2)
        .stripTrailingZeros()
        .toPlainString();
  }
}
