package tallystick.alerting.lint;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.NumberLiteral;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.runrecord.MetricConcept;

/** Finds thresholds that the signal cannot reach, or that lie between two bucket edges. */
final class ThresholdChecks {
  private static final double MILLIS = 1000;

  /** Edges reach farther, but nobody waits so long for an answer: these are milliseconds. */
  private static final double LONGEST_SECONDS = 1800;

  /** What gives a value between the least and the largest that it is given. */
  private static final Set<String> PICKS =
      Set.of("avg", "min", "max", "quantile", "topk", "bottomk");

  private static final Set<String> PICKS_OVER_TIME =
      Set.of(
          "avg_over_time", "min_over_time", "max_over_time", "last_over_time",
          "quantile_over_time");

  private ThresholdChecks() {}

  static void check(LintedRule rule) {
    for (Comparison comparison : rule.comparisons()) {
      Expression signal = rule.resolved(comparison.signal());
      // A panel may show what no latency reaches; a share above 1 shows nothing anywhere.
      if (!rule.source().isQuery()) {
        scaledQuantile(signal)
            .ifPresent(
                scaled ->
                    rule.exposed()
                        .edges(scaled.bucket())
                        .ifPresent(edges -> quantile(rule, comparison, scaled, edges)));
      }
      gauge(rule, comparison, signal);
    }
  }

  private static void quantile(
      LintedRule rule, Comparison comparison, Scaled scaled, BucketEdges edges) {
    double value = comparison.threshold() / scaled.factor();
    boolean neverAbove =
        value > edges.last() || value == edges.last() && !comparison.operator().equals(">=");
    boolean isNobodysWait = scaled.isInSeconds() && value >= LONGEST_SECONDS && !edges.has(value);
    if (isNobodysWait || neverAbove && looksLikeMillis(scaled, value, edges)) {
      double meant = value / MILLIS;
      unreachable(
          rule, comparison, Severity.ERROR,
          "the metric is in seconds, " + number(value)
              + " looks like milliseconds: the rule does not fire at " + number(meant) + " s",
          edges.below(meant) * scaled.factor());
    } else if (neverAbove) {
      beyond(rule, comparison, scaled, edges);
    } else if (value < edges.first()) {
      unreachable(
          rule, comparison, Severity.WARNING,
          number(value) + " lies in the first bucket, up to " + number(edges.first())
              + ": every quantile in there is interpolated from 0, on an idle server too",
          edges.first() * scaled.factor());
    } else if (!edges.has(value)) {
      offEdge(rule, comparison, scaled, edges);
    }
  }

  private static void beyond(
      LintedRule rule, Comparison comparison, Scaled scaled, BucketEdges edges) {
    String effect =
        comparison.operator().startsWith("<")
            ? "every quantile is below the threshold"
            : "the rule never fires";
    unreachable(
        rule, comparison, Severity.ERROR,
        "the quantile cannot exceed the last finite edge, " + number(edges.last())
            + (scaled.isInSeconds() ? " s: " : ": ") + effect,
        edges.edges().get(Math.max(0, edges.edges().size() - 2)) * scaled.factor());
  }

  /** Latencies in the hundreds of seconds are milliseconds, for a whole request in thousands. */
  private static boolean looksLikeMillis(Scaled scaled, double value, BucketEdges edges) {
    boolean wholeRequest = edges.first() >= 0.3;
    return scaled.isInSeconds() && value >= (wholeRequest ? 1000 : 100) && !edges.has(value);
  }

  private static void offEdge(
      LintedRule rule, Comparison comparison, Scaled scaled, BucketEdges edges) {
    double value = comparison.threshold() / scaled.factor();
    double below = edges.below(value);
    double above = edges.above(value);
    rule.warn(
        Defect.OFF_EDGE_THRESHOLD,
        comparison.at(),
        number(value) + " lies inside the bucket (" + number(below) + ", " + number(above) + "]"
            + (edges.exposed() ? "" : " of the engine's built-in edges")
            + ": the value inside a bucket is interpolated, not measured; use  "
            + number(below) + " for an early warning or " + number(above) + " for a late one"
            + ifMillis(scaled, value, edges),
        rule.with(comparison.constant(), literal(comparison, below * scaled.factor())));
  }

  /** What to write where a latency that can be reached was perhaps meant in milliseconds. */
  private static String ifMillis(Scaled scaled, double value, BucketEdges edges) {
    double below = edges.below(value / MILLIS);
    double above = edges.above(value / MILLIS);
    if (!looksLikeMillis(scaled, value, edges)) {
      return "";
    }
    return "; the metric is in seconds: if you mean " + number(value) + " ms, write "
        + number(below * scaled.factor())
        + (above == below ? "" : " or " + number(above * scaled.factor()));
  }

  /** A ratio from 0 to 1 that is compared with a percentage. */
  private static void gauge(LintedRule rule, Comparison comparison, Expression signal) {
    double threshold = comparison.threshold();
    boolean within = threshold < 1 || threshold == 1 && comparison.operator().equals(">=");
    if (!within && comparison.isAbove() && isUsage(signal)) {
      unreachable(
          rule, comparison, Severity.ERROR,
          "KV-cache usage is a ratio from 0 to 1 despite its name: it never exceeds "
              + number(threshold),
          threshold > 1 ? threshold / 100 : Double.NaN);
    }
  }

  /** Whether an expression is KV-cache usage itself, or one of its values over time or engines. */
  private static boolean isUsage(Expression signal) {
    return switch (signal.bare()) {
      case VectorSelector selector ->
          ExposedSeries.means(selector.metric(), MetricConcept.KV_CACHE_USAGE);
      case Expression.RangeSelector range -> isUsage(range.selector());
      case Expression.Subquery subquery -> isUsage(subquery.inner());
      case Expression.Aggregation aggregation ->
          PICKS.contains(aggregation.operator()) && isUsage(aggregation.operand());
      case Expression.Call call ->
          PICKS_OVER_TIME.contains(call.function()) && isUsage(call.arguments().getLast());
      case BinaryOperation ignored -> false;
      case Expression.Negation ignored -> false;
      case NumberLiteral ignored -> false;
      case Expression.StringLiteral ignored -> false;
      case Expression.Parentheses inner -> isUsage(inner.inner());
    };
  }

  private static void unreachable(
      LintedRule rule, Comparison comparison, Severity severity, String why, double corrected) {
    rule.report(
        Defect.UNREACHABLE_THRESHOLD,
        severity,
        comparison.at(),
        why,
        Double.isNaN(corrected)
            ? ""
            : rule.with(comparison.constant(), literal(comparison, corrected)));
  }

  private static Expression literal(Comparison comparison, double value) {
    return new NumberLiteral(value, comparison.constant().at());
  }

  /**
   * A quantile times a constant.
   *
   * @param bucket the histogram's bucket metric
   * @param factor 1 where it is not scaled
   */
  private record Scaled(String bucket, double factor) {
    /** Whether the name says that it measures seconds; others count tokens. */
    boolean isInSeconds() {
      return bucket.endsWith("_seconds_bucket");
    }
  }

  private static Optional<Scaled> scaledQuantile(Expression signal) {
    Expression bare = signal.bare();
    if (bare instanceof BinaryOperation product && product.operator().equals("*")) {
      OptionalDouble right = Expressions.constant(product.right());
      OptionalDouble left = Expressions.constant(product.left());
      if (right.isPresent()) {
        return scaledQuantile(product.left())
            .map(q -> new Scaled(q.bucket(), q.factor() * right.getAsDouble()));
      }
      if (left.isPresent()) {
        return scaledQuantile(product.right())
            .map(q -> new Scaled(q.bucket(), q.factor() * left.getAsDouble()));
      }
      return Optional.empty();
    }
    if (bare instanceof Expression.Aggregation aggregation
        && (aggregation.operator().equals("max") || aggregation.operator().equals("min"))) {
      return scaledQuantile(aggregation.operand());
    }
    if (bare instanceof Expression.Call call && call.function().equals("histogram_quantile")) {
      return Expressions.metrics(call.arguments().get(1))
          .filter(metric -> metric.endsWith("_bucket"))
          .findFirst()
          .map(metric -> new Scaled(metric, 1));
    }
    return Optional.empty();
  }

  private static String number(double value) {
    return ExpressionText.number(value);
  }
}
