package tallystick.alerting.lint;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expressions;
import tallystick.promql.PromTime;
import tallystick.runrecord.MetricConcept;

/** Finds pages that come late, or on a signal no user feels. */
final class PagingChecks {
  /** A range of 5 min held for 10, as public rules have it, is late already. */
  private static final long LATE_MILLIS = 15 * 60 * 1000L;

  private static final Set<MetricConcept> RESOURCES =
      EnumSet.of(
          MetricConcept.RUNNING,
          MetricConcept.WAITING,
          MetricConcept.WAITING_BY_REASON,
          MetricConcept.SWAPPED,
          MetricConcept.KV_CACHE_USAGE,
          MetricConcept.CPU_CACHE_USAGE,
          MetricConcept.PREEMPTIONS,
          MetricConcept.PREFIX_HITS,
          MetricConcept.PREFIX_QUERIES,
          MetricConcept.GPU_UTILISATION,
          MetricConcept.GPU_MEMORY_USED,
          MetricConcept.GPU_POWER);

  private static final Set<MetricConcept> WAITS =
      EnumSet.of(MetricConcept.WAITING, MetricConcept.WAITING_BY_REASON);

  private static final Set<MetricConcept> RUNS = EnumSet.of(MetricConcept.RUNNING);

  /** Scrapes are 15 s to 60 s apart: shorter than this, it may be a single one of them. */
  private static final long MINUTE_MILLIS = 60_000;

  private PagingChecks() {}

  static void check(LintedRule rule) {
    if (rule.isPage()) {
      late(rule);
      resource(rule);
    }
  }

  private static void late(LintedRule rule) {
    long hold = rule.source().holdMillis();
    // A ratio passes its threshold long before its range is full; a percentile does not.
    long range =
        LintedRule.quantiles(rule.resolved())
            .flatMap(call -> Expressions.all(call, RangeSelector.class))
            .mapToLong(RangeSelector::rangeMillis)
            .max()
            .orElse(0);
    if (hold + range >= LATE_MILLIS) {
      rule.warn(
          Defect.SLOW_PAGE,
          0,
          "a range of %s and for %s can add up to %s before anybody is woken"
              .formatted(PromTime.text(range), PromTime.text(hold), PromTime.text(hold + range)),
          "for: 0s to 5m over a range of 5m, or a burn rate over 1h and 5m without for");
    }
  }

  private static void resource(LintedRule rule) {
    List<String> metrics =
        rule.watched().filter(metric -> !metric.isEmpty()).distinct().toList();
    boolean onlyResources =
        !metrics.isEmpty()
            && metrics.stream().allMatch(metric -> ExposedSeries.means(metric, RESOURCES));
    if (!onlyResources) {
      return;
    }
    if (!isStall(rule)) {
      rule.warn(
          Defect.RESOURCE_PAGE,
          0,
          String.join(", ", metrics)
              + " says how full the engine is, not whether users wait; a full engine can be"
              + " healthy",
          "labels: {severity: warning}, or join it with a latency that users feel");
    } else if (!lasts(rule)) {
      rule.warn(
          Defect.RESOURCE_PAGE,
          0,
          "requests that wait while none runs are a stall only if it lasts: one scrape may show it"
              + " between two steps of a healthy engine",
          "for: 5m");
    }
  }

  /** Whether it asks for requests that wait while none runs: users get nothing, full or not. */
  private static boolean isStall(LintedRule rule) {
    boolean waits =
        rule.comparisons().stream()
            .anyMatch(each -> each.isAbove() && ExposedSeries.reads(each.signal(), WAITS));
    boolean noneRuns =
        rule.comparisons().stream()
            .anyMatch(each -> each.isMetByNone() && ExposedSeries.reads(each.signal(), RUNS));
    boolean unlessOneRuns =
        Expressions.operations(rule.expression(), "unless")
            .anyMatch(each -> ExposedSeries.reads(each.right(), RUNS));
    return waits && (noneRuns || unlessOneRuns);
  }

  private static boolean lasts(LintedRule rule) {
    return rule.source().holdMillis() + rule.longestRangeMillis() >= MINUTE_MILLIS;
  }
}
