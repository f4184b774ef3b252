package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;

/**
 * One rule whose expression could be read, with what the checks ask of it.
 *
 * @param file the file it is in
 * @param recordings those of the file
 * @param source the rule
 * @param expression its expression as written
 * @param exposed what the target exposes
 */
record LintedRule(
    RuleFile file,
    Recordings recordings,
    RuleSource source,
    Expression expression,
    ExposedSeries exposed) {
  private static final Set<String> RATES =
      Set.of("rate", "increase", "irate", "delta", "idelta", "deriv");

  /** The expression with recordings of the same file replaced by what they record. */
  Expression resolved() {
    return resolved(expression);
  }

  /** A part of the expression with recordings replaced. */
  Expression resolved(Expression part) {
    return recordings.resolved(part);
  }

  /** Every comparison of something with a constant, the constant on the right. */
  List<Comparison> comparisons() {
    List<Comparison> comparisons = new ArrayList<>();
    Expressions.all(expression, BinaryOperation.class)
        .filter(BinaryOperation::isComparison)
        .forEach(
            operation -> {
              Expressions.constant(operation.right())
                  .ifPresent(
                      value ->
                          comparisons.add(
                              new Comparison(
                                  operation, operation.left(), operation.operator(), value)));
              Expressions.constant(operation.left())
                  .ifPresent(
                      value ->
                          comparisons.add(
                              new Comparison(
                                  operation,
                                  operation.right(),
                                  mirrored(operation.operator()),
                                  value)));
            });
    return comparisons;
  }

  private static String mirrored(String operator) {
    return switch (operator) {
      case "<" -> ">";
      case ">" -> "<";
      case "<=" -> ">=";
      case ">=" -> "<=";
      default -> operator;
    };
  }

  /**
   * A signal compared with a constant.
   *
   * @param operator as if the constant stood on the right
   */
  record Comparison(
      BinaryOperation operation, Expression signal, String operator, double threshold) {
    boolean isAbove() {
      return operator.startsWith(">");
    }

    /** The constant as it is written. */
    Expression constant() {
      return signal == operation.left() ? operation.right() : operation.left();
    }
  }

  /** Whether the alert wakes somebody up. */
  boolean isPage() {
    String severity = source.labels().getOrDefault("severity", "").toLowerCase(Locale.ROOT);
    return source.alert() && (severity.equals("page") || severity.equals("critical"));
  }

  /** Whether it calls one of some functions. */
  boolean callsAny(Set<String> functions) {
    return Expressions.all(resolved(), Expression.Call.class)
        .anyMatch(call -> functions.contains(call.function()));
  }

  /** Longest range of any selector, recordings included; 0 without one. */
  long longestRangeMillis() {
    return Expressions.all(resolved(), RangeSelector.class)
        .mapToLong(RangeSelector::rangeMillis)
        .max()
        .orElse(0);
  }

  /** Names of the metrics whose values it judges, recordings seen through; not of absent ones. */
  Stream<String> watched() {
    Expression present =
        Expressions.map(
            resolved(),
            each ->
                each instanceof Expression.Call call && call.function().startsWith("absent")
                    ? new Expression.NumberLiteral(1, call.at())
                    : each);
    return Expressions.all(present, VectorSelector.class).map(VectorSelector::metric);
  }

  /** Whether a part is a change over time: it has a rate or an increase in it. */
  static boolean hasRate(Expression part) {
    return Expressions.all(part, Expression.Call.class)
        .anyMatch(call -> RATES.contains(call.function()));
  }

  /** Whether a part is a share of events: a division of one change by another. */
  static boolean isRatio(Expression part) {
    return Expressions.all(part, BinaryOperation.class)
        .anyMatch(
            operation ->
                operation.operator().equals("/")
                    && hasRate(operation.left())
                    && hasRate(operation.right()));
  }

  /** The quantile calls in a part. */
  static Stream<Expression.Call> quantiles(Expression part) {
    return Expressions.all(part, Expression.Call.class)
        .filter(call -> call.function().equals("histogram_quantile"));
  }

  /** The whole expression with one part replaced, as text. */
  String with(Expression part, Expression replacement) {
    Function<Expression, Boolean> same =
        each -> each.at() == part.at() && each.equals(part);
    return ExpressionText.of(
        Expressions.map(expression, each -> same.apply(each) ? replacement : each));
  }

  LintFinding finding(
      Defect defect, LintFinding.Severity severity, int at, String why, String corrected) {
    return new LintFinding(
        defect, severity, file.file(), source.lineOf(at), source.name(),
        source.text().restored(why), source.text().restored(corrected));
  }
}
