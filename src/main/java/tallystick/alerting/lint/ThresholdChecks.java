package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.NumberLiteral;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.runrecord.MetricConcept;

/** Finds thresholds that the signal cannot reach, or that lie between two bucket edges. */
final class ThresholdChecks {
  private static final double MILLIS = 1000;

  private ThresholdChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    for (Comparison comparison : rule.comparisons()) {
      Expression signal = rule.resolved(comparison.signal());
      quantile(rule, comparison, signal).ifPresent(findings::add);
      gauge(rule, comparison, signal).ifPresent(findings::add);
    }
    return findings;
  }

  private static Optional<LintFinding> quantile(
      LintedRule rule, Comparison comparison, Expression signal) {
    Optional<Scaled> scaled = scaledQuantile(signal);
    Optional<BucketEdges> edges = scaled.flatMap(q -> rule.exposed().edges(q.bucket()));
    if (edges.isEmpty()) {
      return Optional.empty();
    }
    double seconds = comparison.threshold() / scaled.get().factor();
    double factor = scaled.get().factor();
    if (looksLikeMillis(seconds, edges.get())) {
      return Optional.of(millis(rule, comparison, seconds, edges.get(), factor));
    }
    if (seconds >= edges.get().last()) {
      return Optional.of(
          unreachable(
              rule,
              comparison,
              Severity.ERROR,
              "the quantile cannot exceed the last finite edge, %s s: the rule never fires"
                  .formatted(number(edges.get().last())),
              edges.get().edges().get(edges.get().edges().size() - 2) * factor));
    }
    if (seconds < edges.get().first()) {
      return Optional.of(
          unreachable(
              rule,
              comparison,
              Severity.WARNING,
              ("%s lies in the first bucket, up to %s: every quantile in there is interpolated"
                      + " from 0, on an idle server too")
                  .formatted(number(seconds), number(edges.get().first())),
              edges.get().first() * factor));
    }
    if (edges.get().has(seconds)) {
      return Optional.empty();
    }
    return Optional.of(offEdge(rule, comparison, seconds, edges.get(), factor));
  }

  /** Latencies in the hundreds of seconds are milliseconds, for a whole request in thousands. */
  private static boolean looksLikeMillis(double seconds, BucketEdges edges) {
    boolean wholeRequest = edges.first() >= 0.3;
    return seconds >= (wholeRequest ? 1000 : 100) && !edges.has(seconds);
  }

  private static LintFinding millis(
      LintedRule rule, Comparison comparison, double seconds, BucketEdges edges, double factor) {
    double meant = seconds / MILLIS;
    return unreachable(
        rule,
        comparison,
        Severity.ERROR,
        "the metric is in seconds, %s looks like milliseconds: the rule does not fire at %s s"
            .formatted(number(seconds), number(meant)),
        edges.below(meant) * factor);
  }

  private static LintFinding offEdge(
      LintedRule rule, Comparison comparison, double seconds, BucketEdges edges, double factor) {
    double below = edges.below(seconds);
    double above = edges.above(seconds);
    return rule.finding(
        Defect.OFF_EDGE_THRESHOLD,
        Severity.WARNING,
        comparison.operation().at(),
        ("%s lies inside the bucket (%s, %s]%s: where in it the value comes to lie is"
                + " interpolation, not measurement; use %s for an early warning or %s for a late"
                + " one")
            .formatted(
                number(seconds),
                number(below),
                number(above),
                edges.exposed() ? "" : " of the engine's built-in edges",
                number(below),
                number(above)),
        rule.with(comparison.constant(), literal(comparison, below * factor)));
  }

  /** A ratio from 0 to 1 that is compared with a percentage. */
  private static Optional<LintFinding> gauge(
      LintedRule rule, Comparison comparison, Expression signal) {
    boolean ratio =
        Expressions.all(signal, VectorSelector.class)
            .map(selector -> ExposedSeries.concept(selector.metric()))
            .anyMatch(concept -> concept.filter(MetricConcept.KV_CACHE_USAGE::equals).isPresent());
    boolean scaled =
        Expressions.all(signal, BinaryOperation.class).findAny().isPresent()
            || Expressions.all(signal, Expression.Aggregation.class)
                .anyMatch(a -> a.operator().equals("sum") || a.operator().equals("count"));
    if (!ratio || scaled || !comparison.isAbove() || comparison.threshold() < 1) {
      return Optional.empty();
    }
    double threshold = comparison.threshold();
    return Optional.of(
        unreachable(
            rule,
            comparison,
            Severity.ERROR,
            "KV-cache usage is a ratio from 0 to 1 despite its name: it never exceeds "
                + number(threshold),
            threshold > 1 ? threshold / 100 : Double.NaN));
  }

  private static LintFinding unreachable(
      LintedRule rule, Comparison comparison, Severity severity, String why, double corrected) {
    return rule.finding(
        Defect.UNREACHABLE_THRESHOLD,
        severity,
        comparison.operation().at(),
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
  private record Scaled(String bucket, double factor) {}

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
      return Expressions.all(call.arguments().get(1), VectorSelector.class)
          .map(VectorSelector::metric)
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
