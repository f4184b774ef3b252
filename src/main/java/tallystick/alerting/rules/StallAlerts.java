package tallystick.alerting.rules;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.Urgency;
import tallystick.alerting.derivation.EngineNames;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;

/**
 * Alerts on an engine that stands still, in whole or in part: the latencies of who waits are
 * observed by nobody.
 */
final class StallAlerts {
  static final String STUCK = "VLLMEngineStuck";
  static final String ADMISSION = "VLLMAdmissionStalled";

  private static final long MINUTE = 60_000;
  /** A prompt longer than half of the cache may wait while that much is free. */
  private static final String KV_IN_USE = "0.5";

  private final RuleParts parts;
  private final EngineNames names;

  StallAlerts(RuleParts parts) {
    this.parts = parts;
    this.names = parts.derived().query().names();
  }

  void all() {
    if (exposes(STUCK, MetricConcept.RUNNING, MetricConcept.WAITING,
        MetricConcept.ITERATION_TOKENS)) {
      stuck();
    }
    if (exposes(ADMISSION, MetricConcept.RUNNING, MetricConcept.WAITING,
        MetricConcept.ITERATION_TOKENS, MetricConcept.KV_CACHE_USAGE, MetricConcept.TTFT,
        MetricConcept.ITL)) {
      admission();
    }
  }

  private boolean exposes(String name, MetricConcept... needed) {
    Optional<MetricConcept> missing =
        Arrays.stream(needed).filter(each -> names.family(each).isEmpty()).findFirst();
    missing.ifPresent(
        concept ->
            parts
                .refusals()
                .add(
                    new RefusedAlert(
                        name, "work is there and nothing goes on",
                        RefusalCode.TOO_FEW_OBSERVATIONS,
                        "0 series of %s, need 1 or more"
                            .formatted(concept.name().toLowerCase(Locale.ROOT)))));
    return missing.isEmpty();
  }

  /**
   * Steps without an output are not counted, so a long prompt that is read alone makes none: but
   * each of them takes KV cache.
   */
  private void stuck() {
    String progress =
        names.family(MetricConcept.KV_CACHE_USAGE)
            .map(
                kv ->
                    "\nunless on (%1$s)\nsum by (%1$s) (changes(%2$s[2m])) > 0"
                        .formatted(on(), parts.derived().query().scoped(kv)))
            .orElse("");
    parts.presence(
        STUCK, Urgency.PAGE,
        ("sum by (%1$s) (%2$s + %3$s) > 0\n"
                + "and on (%1$s)\nsum by (%1$s) (increase(%4$s[2m])) == 0%5$s")
            .formatted(
                on(), metric(MetricConcept.RUNNING, ""), metric(MetricConcept.WAITING, ""),
                metric(MetricConcept.ITERATION_TOKENS, "_count"), progress),
        MINUTE, "{{ $labels.instance }} has requests and makes no step",
        "Users wait for good, and no latency shows it: restart the engine after saving its logs.");
  }

  /**
   * Full engines are told by their own hour: they run as many requests as ever, or use their KV
   * cache. A prompt being read is a running request that adds no token to a step.
   */
  private void admission() {
    String running = metric(MetricConcept.RUNNING, "");
    String kv = metric(MetricConcept.KV_CACHE_USAGE, "");
    parts.presence(
        ADMISSION, Urgency.PAGE,
        ("sum by (%1$s) (min_over_time(%2$s[2m])) > 0\n"
                + "and on (%1$s)\nsum by (%1$s) (increase(%3$s[2m])) == 0\n"
                + "and on (%1$s)\nsum by (%1$s) (max_over_time(%4$s[2m]))"
                + " < sum by (%1$s) (max_over_time(%4$s[1h]))\n"
                + "and on (%1$s)\nmax by (%1$s) (max_over_time(%5$s[2m])) < %6$s\n"
                + "and on (%1$s)\nsum by (%1$s) (increase(%7$s[2m]))"
                + " / sum by (%1$s) (increase(%8$s[2m]))"
                + " > sum by (%1$s) (avg_over_time(%4$s[2m])) - 0.5")
            .formatted(
                on(), metric(MetricConcept.WAITING, ""), metric(MetricConcept.TTFT, "_count"),
                running, kv, KV_IN_USE, metric(MetricConcept.ITL, "_count"),
                metric(MetricConcept.ITERATION_TOKENS, "_count")),
        2 * MINUTE, "{{ $labels.instance }} lets no waiting request begin",
        "Requests wait, KV cache is free, and no first token comes; those that run go on."
            + " Restart the engine after saving its logs.");
  }

  private String on() {
    EngineFamily.Labels labels =
        RuleParts.labels(names.family(MetricConcept.RUNNING).orElseThrow());
    return String.join(", ", labels.model(), "instance", labels.engine());
  }

  private String metric(MetricConcept concept, String suffix) {
    return parts.derived().query().scoped(names.family(concept).orElseThrow() + suffix);
  }
}
