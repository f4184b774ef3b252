package tallystick.alerting.rules;

import java.util.Locale;
import tallystick.runrecord.MetricConcept;

/** Writes the objective for Sloth and as OpenSLO, and a route for its severities. */
public final class SloText {
  private final DerivedAlerts derived;
  private final String family;
  private final String bucket;

  private SloText(DerivedAlerts derived) {
    this.derived = derived;
    MetricConcept latency = derived.query().latency();
    this.family = derived.query().names().family(latency).orElseThrow();
    this.bucket =
        family
            + "_bucket{model_name=\"MODEL\",le=\""
            + derived.query().names().edgeText(latency, derived.edge().seconds())
            + "\"}";
  }

  /**
   * Sloth's {@code prometheus/v1}: one objective for one model, because Sloth adds up everything
   * its queries select.
   *
   * @param model the model's name as the engine labels it
   */
  public static String sloth(DerivedAlerts derived, String model) {
    SloText slo = new SloText(derived);
    String all = slo.family + "_count{model_name=\"MODEL\"}";
    return slo.head()
        + """
        version: prometheus/v1
        service: vllm
        slos:
        - name: METRIC
          objective: %s
          description: 'METRIC within %s s'
          sli:
            events:
              error_query: sum(rate(%s[{{.window}}])) - sum(rate(%s[{{.window}}]))
              total_query: sum(rate(%s[{{.window}}]))
          alerting:
            name: VLLMMETRICBudgetBurn
            page_alert:
              labels:
                severity: page
            ticket_alert:
              labels:
                severity: ticket
        """
            .formatted(
                percent(derived.request().objective().share()), derived.edge().seconds(), all,
                slo.bucket, all)
            .replace("VLLMMETRIC", "VLLM" + slo.word().toUpperCase(Locale.ROOT))
            .replace("METRIC", slo.word())
            .replace("MODEL", model);
  }

  /** OpenSLO v1. */
  public static String openSlo(DerivedAlerts derived, String model) {
    SloText slo = new SloText(derived);
    return slo.head()
        + """
        apiVersion: openslo/v1
        kind: SLO
        metadata:
          name: vllm-METRIC
        spec:
          description: 'METRIC within %s s'
          service: vllm
          budgetingMethod: Occurrences
          timeWindow:
          - duration: 30d
            isRolling: true
          indicator:
            metadata:
              name: vllm-METRIC-good
            spec:
              ratioMetric:
                counter: true
                good:
                  metricSource:
                    type: Prometheus
                    spec:
                      query: sum(%s)
                total:
                  metricSource:
                    type: Prometheus
                    spec:
                      query: sum(%s_count{model_name="MODEL"})
          objectives:
          - displayName: METRIC
            target: %s
        """
            .formatted(
                derived.edge().seconds(), slo.bucket, slo.family,
                derived.request().objective().share())
            .replace("METRIC", slo.word())
            .replace("MODEL", model);
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
