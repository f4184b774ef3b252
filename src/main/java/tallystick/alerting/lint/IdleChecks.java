package tallystick.alerting.lint;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.runrecord.MetricConcept;

/** Finds rules that fire on an engine with nothing to do, or on one that is as it was started. */
final class IdleChecks {
  private static final Set<MetricConcept> WORK =
      EnumSet.of(
          MetricConcept.RUNNING,
          MetricConcept.REQUEST_SUCCESS,
          MetricConcept.PROMPT_TOKENS,
          MetricConcept.GENERATION_TOKENS,
          MetricConcept.ITERATION_TOKENS,
          MetricConcept.PROMPT_THROUGHPUT,
          MetricConcept.GENERATION_THROUGHPUT,
          MetricConcept.KV_CACHE_USAGE,
          MetricConcept.TTFT,
          MetricConcept.E2E,
          MetricConcept.HTTP_REQUESTS,
          MetricConcept.GPU_UTILISATION,
          MetricConcept.GPU_POWER);

  /** SGLang's gauges of the last batch alone, which nothing resets: 0 before the first one. */
  private static final String OF_LAST_BATCH = "sglang[:_](cache_hit|spec_accept)_(rate|length)";

  /** Alerts that are to fire when nothing is asked. */
  private static final String ABOUT_IDLENESS =
      "(?i).*(idle|unused|under_?-?util|scale_?-?(in|down)).*";

  private IdleChecks() {}

  static void check(LintedRule rule) {
    if (!rule.source().alert()) {
      return;
    }
    for (Comparison comparison : rule.comparisons()) {
      Expression signal = rule.resolved(comparison.signal());
      boolean onPurpose =
          rule.source().name().matches(ABOUT_IDLENESS) || hasGuard(rule, comparison);
      if (isMetByNothing(comparison) && !onPurpose) {
        idle(signal).ifPresent(why -> idle(rule, comparison, why));
      }
      if (comparison.isAbove() && isGpuMemory(signal)) {
        alwaysFull(rule, comparison);
      }
    }
  }

  /** Why an engine with nothing to do is below the threshold; empty if it is not. */
  private static Optional<String> idle(Expression signal) {
    if (isWork(signal)) {
      return Optional.of("an engine that nobody asks anything shows 0 here");
    }
    return Expressions.metrics(signal)
        .filter(metric -> ExposedSeries.canonical(metric).matches(OF_LAST_BATCH))
        .findFirst()
        .map(
            metric ->
                metric + " is 0 before the first request, and then what the last batch had for as"
                    + " long as no other comes");
  }

  private static boolean isWork(Expression signal) {
    boolean divided = LintedRule.isRatio(signal) || LintedRule.hasQuantile(signal);
    return !divided && !isPresence(signal) && ExposedSeries.reads(signal, WORK);
  }

  /** Whether it tells which series there are, and not what they are worth. */
  private static boolean isPresence(Expression signal) {
    return Expressions.asksForAbsence(signal)
        || LintedRule.countsSeries(signal);
  }

  /** Whether 0, which is what an idle engine shows, passes. */
  private static boolean isMetByNothing(Comparison comparison) {
    return switch (comparison.operator()) {
      case "<" -> comparison.threshold() > 0;
      case "<=" -> comparison.threshold() >= 0;
      case "==" -> comparison.threshold() == 0;
      default -> false;
    };
  }

  /** Another condition that an idle engine does not meet. */
  private static boolean hasGuard(LintedRule rule, Comparison given) {
    return rule.comparisons().stream()
        .anyMatch(other -> other.operation() != given.operation() && other.isAbove());
  }

  private static void idle(LintedRule rule, Comparison comparison, String why) {
    rule.warn(
        Defect.FIRES_WHEN_IDLE,
        comparison.at(),
        why + ": the rule fires at night; ask for waiting or running requests as well");
  }

  private static boolean isGpuMemory(Expression signal) {
    return Expressions.metrics(signal)
        .anyMatch(
            metric ->
                ExposedSeries.means(metric, MetricConcept.GPU_MEMORY_USED)
                    || metric.matches("(?i).*gpu.*mem.*(used|usage|util).*"));
  }

  private static void alwaysFull(LintedRule rule, Comparison comparison) {
    rule.warn(
        Defect.ALWAYS_FULL,
        comparison.at(),
        "an engine takes its share of the GPU's memory when it starts (gpu_memory_utilization of"
            + " vLLM, mem_fraction_static of SGLang) and keeps it: this is full while nothing"
            + " runs; watch the KV cache with a latency");
  }
}
