package tallystick.alerting.rules;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.Urgency;
import tallystick.alerting.derivation.EngineNames;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/**
 * Alerts without a threshold: the engine is stuck, or something is gone. A dead target or a renamed
 * metric would resolve every other alert; a stuck engine observes no latency at all.
 */
final class PresenceAlerts {
  /** Their names: users' suffering does not judge them. */
  static final List<String> NAMES =
      List.of(
          "VLLMEngineStuck", "VLLMModelGone", "VLLMTargetDown", "VLLMMetricsAbsent",
          "VLLMNoTargets");

  private static final long MINUTE = 60_000;

  private final RuleParts parts;
  private final EngineNames names;
  private final String up;

  PresenceAlerts(RuleParts parts) {
    this.parts = parts;
    this.names = parts.derived().query().names();
    this.up = "up{job=\"" + parts.request().job() + "\"}";
  }

  void all() {
    stuck();
    gone();
    add(
        NAMES.get(2), Urgency.TICKET, up + " == 0", 5 * MINUTE,
        "A vLLM target cannot be scraped", "Other replicas may serve its users.");
    Optional<String> running = names.family(MetricConcept.RUNNING);
    running.ifPresent(
        family ->
            add(
                NAMES.get(3), Urgency.TICKET,
                "absent(%s)\nand on ()\ncount(%s == 1) > 0".formatted(scoped(family), up),
                15 * MINUTE, "No target that answers exposes " + family,
                "Every other alert is silent while this holds: was the metric renamed?"));
    add(
        NAMES.get(4), Urgency.WARNING, "absent(" + up + ")", 60 * MINUTE,
        "No vLLM target is configured",
        "Nothing is scraped: scaled to zero, or another job than " + parts.request().job() + ".");
  }

  private String scoped(String metric) {
    return parts.derived().query().scoped(metric);
  }

  /** Work is there and no step is made: the latencies of who waits are observed by nobody. */
  private void stuck() {
    Optional<String> running = names.family(MetricConcept.RUNNING);
    Optional<String> waiting = names.family(MetricConcept.WAITING);
    Optional<String> steps = names.family(MetricConcept.ITERATION_TOKENS);
    if (running.isEmpty() || waiting.isEmpty() || steps.isEmpty()) {
      parts
          .refusals()
          .add(
              new RefusedAlert(
                  NAMES.getFirst(), "work is there and nothing goes on",
                  RefusalCode.TOO_FEW_OBSERVATIONS,
                  "0 series tell running and waiting requests and count steps, need 1 of each"));
      return;
    }
    EngineFamily.Labels labels = labels(running.get());
    String on = String.join(", ", labels.model(), "instance", labels.engine());
    add(
        NAMES.getFirst(), Urgency.PAGE,
        ("sum by (%1$s) (%2$s + %3$s) > 0\n"
                + "and on (%1$s)\nsum by (%1$s) (increase(%4$s[2m])) == 0")
            .formatted(
                on, scoped(running.get()), scoped(waiting.get()),
                scoped(steps.get() + "_count")),
        MINUTE, "{{ $labels.instance }} has requests and makes no step",
        "Users wait for good, and no latency shows it: restart the engine after saving its logs.");
  }

  /** Gone from every target, while a target of the job is still known: not scaled to zero. */
  private void gone() {
    Optional<String> running = names.family(MetricConcept.RUNNING);
    if (running.isEmpty()) {
      return;
    }
    String model = labels(running.get()).model();
    String seen = "last_over_time(" + scoped(running.get()) + "[1h])";
    add(
        NAMES.get(1), Urgency.PAGE,
        ("count by (%1$s) (%2$s)\n"
                + "unless on (%1$s)\n"
                + "count by (%1$s) (%2$s and on (job, instance) %3$s == 1)\n"
                + "and on ()\ncount(%3$s) > 0")
            .formatted(model, seen, up),
        5 * MINUTE, "No target serves {{ $labels." + model + " }} any more",
        "A target served it within the last hour, and none that answers does.");
  }

  private static EngineFamily.Labels labels(String metric) {
    return MetricVocabulary.standard()
        .familyOf(metric)
        .orElseGet(() -> MetricVocabulary.standard().families().getFirst())
        .labels();
  }

  private void add(
      String name, Urgency urgency, String expression, long hold, String summary, String text) {
    parts.add(
        new RuleSet.Rule(
            true, name, expression, hold, 0, Map.of("severity", urgency.severity()),
            parts.annotations(summary, text, RunbookEntry.ERRORS),
            List.of("no threshold: presence only"),
            Promise.NONE));
  }
}
