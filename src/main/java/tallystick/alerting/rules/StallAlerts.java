package tallystick.alerting.rules;

import java.util.Locale;
import java.util.Optional;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.derivation.PerEngine;
import tallystick.runrecord.MetricConcept;

/**
 * Alerts on an engine that stands still, in whole or in part: the latencies of who waits are
 * observed by nobody.
 */
record StallAlerts(RuleParts parts, PerEngine engine) {
  static final String STUCK = "VLLMEngineStuck";
  static final String ADMISSION = "VLLMAdmissionStalled";

  private static final long MINUTE = 60_000;
  /** A prompt longer than half of the cache may wait while that much is free. */
  private static final String KV_IN_USE = "0.5";

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
    Optional<MetricConcept> missing = engine.missing(needed);
    missing.ifPresent(
        concept ->
            parts.refuse(
                name, "work is there and nothing goes on", RefusalCode.TOO_FEW_OBSERVATIONS,
                "0 series of %s, need 1 or more"
                    .formatted(concept.name().toLowerCase(Locale.ROOT))));
    return missing.isEmpty();
  }

  /**
   * Steps without an output are not counted, so a long prompt that is read alone makes none: but
   * each of them takes KV cache.
   */
  private void stuck() {
    String progress =
        engine.missing(MetricConcept.KV_CACHE_USAGE).isPresent()
            ? ""
            : "\nunless on (%s)\n%s > 0"
                .formatted(
                    engine.labels(), engine.sum("changes", MetricConcept.KV_CACHE_USAGE, ""));
    parts.presence(
        STUCK, AlertSeverity.PAGE,
        "sum by (%1$s) (%2$s + %3$s) > 0\nand on (%1$s)\n%4$s == 0%5$s"
            .formatted(
                engine.labels(), engine.metric(MetricConcept.RUNNING, ""),
                engine.metric(MetricConcept.WAITING, ""),
                engine.sum("increase", MetricConcept.ITERATION_TOKENS, "_count"), progress),
        MINUTE, "{{ $labels.instance }} has requests and makes no step",
        "Users wait for good, and no latency shows it: restart the engine after saving its logs.");
  }

  /**
   * Full engines are told by their own hour: they run as many requests as ever, or use their KV
   * cache. A prompt being read is a running request that adds no token to a step.
   */
  private void admission() {
    parts.presence(
        ADMISSION, AlertSeverity.PAGE,
        ("%2$s > 0\nand on (%1$s)\n%3$s == 0\nand on (%1$s)\n%4$s < %5$s\n"
                + "and on (%1$s)\n%6$s < %7$s\nand on (%1$s)\n%8$s / %9$s > %10$s - 0.5")
            .formatted(
                engine.labels(), engine.sum("min_over_time", MetricConcept.WAITING, ""),
                engine.sum("increase", MetricConcept.TTFT, "_count"),
                engine.sum("max_over_time", MetricConcept.RUNNING, ""),
                engine
                    .sum("max_over_time", MetricConcept.RUNNING, "")
                    .replace("[" + PerEngine.RANGE + "]", "[1h]"),
                engine.sum("max_over_time", MetricConcept.KV_CACHE_USAGE, ""), KV_IN_USE,
                engine.sum("increase", MetricConcept.ITL, "_count"),
                engine.sum("increase", MetricConcept.ITERATION_TOKENS, "_count"),
                engine.sum("avg_over_time", MetricConcept.RUNNING, "")),
        2 * MINUTE, "{{ $labels.instance }} lets no waiting request begin",
        "Requests wait, KV cache is free, and no first token comes; those that run go on."
            + " Restart the engine after saving its logs.");
  }
}
