package tallystick.alerting.lint;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Series;

/** Finds what several replicas make of an aggregation: shares added up, and nothing taken for 0. */
final class ReplicaChecks {
  private static final Set<MetricConcept> SHARES =
      EnumSet.of(
          MetricConcept.KV_CACHE_USAGE,
          MetricConcept.CPU_CACHE_USAGE,
          MetricConcept.PREFIX_HIT_RATE,
          MetricConcept.GPU_UTILISATION,
          MetricConcept.GPU_MEMORY_COPY_UTILISATION,
          MetricConcept.GPU_ENGINE_ACTIVE,
          MetricConcept.GPU_TENSOR_ACTIVE,
          MetricConcept.GPU_DRAM_ACTIVE);

  /** How the names of an engine's other shares end. */
  private static final String SHARE =
      ".*_(perc|usage|utilization|ratio|occupancy|(hit|accept|acceptance)_rate)";

  /** Labels by which each replica is a group of its own. */
  private static final Pattern ONE_REPLICA =
      Pattern.compile(
          "(?i).*(instance|pod|engine|rank|node|host|gpu|uuid|replica|worker|server).*|"
              + DashboardVariables.MARK + ".*");

  private static final String OVER_TIME = "(avg|min|max|last|quantile)_over_time";

  private ReplicaChecks() {}

  static void check(LintedRule rule) {
    if (rule.source().alert() || rule.source().isQuery()) {
      summedShares(rule);
    }
    if (rule.source().alert()) {
      rule.comparisons().forEach(each -> emptyOnceGone(rule, each));
    }
  }

  private static void summedShares(LintedRule rule) {
    List<Expression> divided =
        Expressions.operations(rule.expression(), "/")
            .flatMap(division -> Expressions.all(division.left()))
            .toList();
    Expressions.all(rule.expression(), Aggregation.class)
        .filter(each -> each.operator().equals("sum") && !divided.contains(each))
        .filter(each -> !each.without())
        .filter(each -> each.grouping().stream().noneMatch(ReplicaChecks::isOneReplica))
        .forEach(each -> share(each.operand()).ifPresent(share -> summed(rule, each, share)));
  }

  private static void summed(LintedRule rule, Aggregation sum, VectorSelector share) {
    rule.warn(
        Defect.SUMMED_SHARE,
        sum.at(),
        share.metric() + " is a share: two replicas that are half full add up to a whole, so what"
            + (rule.source().isQuery() ? " is shown" : " the threshold means")
            + " changes with the number of replicas; take the max, or the avg",
        rule.with(
            sum,
            new Aggregation("max", List.of(), sum.operand(), sum.grouping(), false, sum.at())));
  }

  /** The share of several replicas that a part gives as it is, or over time. */
  private static Optional<VectorSelector> share(Expression part) {
    if (part.bare() instanceof VectorSelector selector) {
      return Optional.of(selector)
          .filter(each -> isShare(each.metric()))
          .filter(each -> each.matchers().stream().noneMatch(ReplicaChecks::isOneReplica));
    }
    if (part.bare() instanceof RangeSelector range) {
      return share(range.selector());
    }
    return part.bare() instanceof Call call && call.function().matches(OVER_TIME)
        ? share(call.arguments().getLast())
        : Optional.empty();
  }

  private static boolean isShare(String metric) {
    boolean isNamedSo =
        metric.matches(SHARE)
            && ExposedSeries.name(metric).filter(n -> n.type() == Series.Type.GAUGE).isPresent();
    return isNamedSo || ExposedSeries.means(metric, SHARES);
  }

  private static boolean isOneReplica(LabelMatcher matcher) {
    boolean isOne =
        matcher.operator() == LabelMatcher.Operator.EQUAL || DashboardVariables.isOpen(matcher);
    return isOne && isOneReplica(matcher.label());
  }

  private static boolean isOneReplica(String label) {
    return ONE_REPLICA.matcher(label).matches();
  }

  /** An aggregation of no series is nothing, which no comparison meets. */
  private static void emptyOnceGone(LintedRule rule, Comparison comparison) {
    if (!(comparison.signal().bare() instanceof Aggregation aggregation)
        || !comparison.isMetByNone()) {
      return;
    }
    String form = aggregation.operator();
    boolean isOfValues = form.matches("sum|max|avg");
    if (form.matches("count|group") || isOfValues && hasFilter(aggregation.operand())) {
      empty(
          rule, comparison, Severity.ERROR,
          form + " of no series is nothing, not 0: this never fires");
      return;
    }
    boolean ofTargets = isOfValues && Expressions.metrics(aggregation).anyMatch("up"::equals);
    if (ofTargets && !FileChecks.asksForAbsence(rule.file())) {
      empty(
          rule, comparison, Severity.WARNING,
          "0 only while dead targets are still listed: once the pods are gone, " + form
              + " of no series is nothing, not 0, and the alert resolves");
    }
  }

  private static boolean hasFilter(Expression part) {
    return Expressions.all(part, BinaryOperation.class)
        .anyMatch(each -> each.isComparison() && !each.matching().returnsBool());
  }

  private static void empty(
      LintedRule rule, Comparison comparison, Severity severity, String why) {
    Expression orZero =
        PromqlParser.parse("(" + ExpressionText.of(comparison.signal()) + " or vector(0))");
    boolean isGrouped =
        !(comparison.signal().bare() instanceof Aggregation whole)
            || whole.without()
            || !whole.grouping().isEmpty();
    rule.report(
        Defect.SILENT_ABSENCE,
        severity,
        comparison.at(),
        why + (isGrouped ? "; add or absent(...) of the same series" : ""),
        isGrouped ? "" : rule.with(comparison.signal(), orZero));
  }
}
