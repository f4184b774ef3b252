package tallystick.alerting.rules;

import java.util.List;
import java.util.Optional;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.derivation.EngineNames;
import tallystick.alerting.derivation.PerEngine;
import tallystick.runrecord.MetricConcept;

/**
 * Alerts on what is gone: a dead target or a renamed metric would resolve every other alert. Those
 * on what stands still are {@link StallAlerts}.
 */
record PresenceAlerts(RuleParts parts, EngineNames names, String up) {
  private static final String GONE = "VLLMModelGone";
  private static final String DOWN = "VLLMTargetDown";
  private static final String ABSENT = "VLLMMetricsAbsent";
  private static final String NOTHING = "VLLMNoTargets";

  /** The alerts without a threshold: users' suffering does not judge them. */
  static final List<String> NAMES =
      List.of(StallAlerts.STUCK, StallAlerts.ADMISSION, GONE, DOWN, ABSENT, NOTHING);

  private static final long MINUTE = 60_000;

  void all() {
    gone();
    parts.presence(
        DOWN, AlertSeverity.TICKET, up + " == 0", 5 * MINUTE,
        "A vLLM target cannot be scraped", "Other replicas may serve its users.");
    Optional<String> running = names.family(MetricConcept.RUNNING);
    running.ifPresent(
        family ->
            parts.presence(
                ABSENT, AlertSeverity.TICKET,
                "absent(%s)\nand on ()\ncount(%s == 1) > 0".formatted(scoped(family), up),
                15 * MINUTE, "No target that answers exposes " + family,
                "Every other alert is silent while this holds: was the metric renamed?"));
    parts.presence(
        NOTHING, AlertSeverity.WARNING, "absent(" + up + ")", 60 * MINUTE,
        "No vLLM target is configured",
        "Nothing is scraped: scaled to zero, or another job than " + parts.request().job() + ".");
  }

  private String scoped(String metric) {
    return parts.derived().query().scoped(metric);
  }

  /** Gone from every target, while a target of the job is still known: not scaled to zero. */
  private void gone() {
    Optional<String> running = names.family(MetricConcept.RUNNING);
    if (running.isEmpty()) {
      return;
    }
    String model = new PerEngine(parts.derived().query()).modelLabel();
    String seen = "last_over_time(" + scoped(running.get()) + "[1h])";
    parts.presence(
        GONE, AlertSeverity.PAGE,
        ("count by (%1$s) (%2$s)\n"
                + "unless on (%1$s)\n"
                + "count by (%1$s) (%2$s and on (job, instance) %3$s == 1)\n"
                + "and on ()\ncount(%3$s) > 0")
            .formatted(model, seen, up),
        5 * MINUTE, "No target serves {{ $labels." + model + " }} any more",
        "A target served it within the last hour, and none that answers does.");
  }
}
