package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;

/**
 * One rule whose expression could be read, with what the checks ask of it and what they report.
 *
 * @param file the file it is in
 * @param recordings those of the file
 * @param source the rule
 * @param expression its expression as written
 * @param exposed what the target exposes
 * @param findings takes what is reported
 */
record LintedRule(
    RuleFile file,
    Recordings recordings,
    RuleSource source,
    Expression expression,
    ExposedSeries exposed,
    List<LintFinding> findings) {
  private static final Set<String> RATES =
      Set.of("rate", "increase", "irate", "delta", "idelta", "deriv");

  private static final Set<String> COUNTS_OF_SERIES = Set.of("count", "group", "count_values");
  private static final long FIVE_MINUTES = 5 * 60_000L; // as the rules we write look back

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
    for (BinaryOperation each :
        Expressions.all(expression, BinaryOperation.class)
            .filter(BinaryOperation::isComparison)
            .toList()) {
      String operator = each.operator();
      Expressions.constant(each.right())
          .ifPresent(v -> comparisons.add(new Comparison(each, each.left(), operator, v)));
      String turned =
          operator.startsWith("<") ? operator.replace('<', '>') : operator.replace('>', '<');
      Expressions.constant(each.left())
          .ifPresent(v -> comparisons.add(new Comparison(each, each.right(), turned, v)));
    }
    return comparisons;
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

    /** Whether 0 meets it, and hardly any number that a working server shows. */
    boolean isMetByNone() {
      return switch (operator) {
        case "<" -> threshold > 0 && threshold <= 1;
        case "<=", "==" -> threshold == 0;
        default -> false;
      };
    }

    /** Where it stands. */
    int at() {
      return operation.at();
    }

    /** The constant as it is written. */
    Expression constant() {
      return signal == operation.left() ? operation.right() : operation.left();
    }
  }

  /** Whether the alert wakes somebody up. */
  boolean isPage() {
    String severity = source.labels().getOrDefault("severity", "").toLowerCase(Locale.ROOT);
    boolean wakes = severity.equals(AlertSeverity.PAGE.code()) || severity.equals("critical");
    return source.alert() && wakes;
  }

  /** Whether it calls one of some functions. */
  boolean callsAny(Set<String> functions) {
    return Expressions.calls(resolved(), functions::contains).findAny().isPresent();
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
    return Expressions.needed(resolved()).map(VectorSelector::metric);
  }

  /** Whether a part is a change over time: it has a rate or an increase in it. */
  static boolean hasRate(Expression part) {
    return Expressions.calls(part, RATES::contains).findAny().isPresent();
  }

  /** Whether a part is a share of events: a division of one change by another. */
  static boolean isRatio(Expression part) {
    return Expressions.operations(part, "/")
        .anyMatch(division -> hasRate(division.left()) && hasRate(division.right()));
  }

  /** The quantile calls in a part. */
  static Stream<Expression.Call> quantiles(Expression part) {
    return Expressions.calls(part, "histogram_quantile"::equals);
  }

  /** Whether a part has a quantile in it. */
  static boolean hasQuantile(Expression part) {
    return quantiles(part).findAny().isPresent();
  }

  /** Whether a part tells how many series there are, and not what they are worth. */
  static boolean countsSeries(Expression part) {
    return Expressions.all(part, Expression.Aggregation.class)
        .anyMatch(each -> COUNTS_OF_SERIES.contains(each.operator()));
  }

  /** A part with the rate over five minutes in the place of each counter. */
  static Expression rated(Expression part, Predicate<String> isCounter) {
    return Expressions.map(
        part,
        each ->
            each instanceof VectorSelector counter && isCounter.test(counter.metric())
                ? new Expression.Call("rate", List.of(fiveMinutesOf(counter)), counter.at())
                : each);
  }

  /** Five minutes of some series. */
  static RangeSelector fiveMinutesOf(VectorSelector selector) {
    return new RangeSelector(selector, FIVE_MINUTES, selector.at());
  }

  /** The whole expression with one part replaced. */
  Expression replaced(Expression part, Expression replacement) {
    return Expressions.map(
        expression, each -> each.at() == part.at() && each.equals(part) ? replacement : each);
  }

  /** The same as text. */
  String with(Expression part, Expression replacement) {
    return ExpressionText.of(replaced(part, replacement));
  }

  /** Reports that the rule cannot do what it says. */
  void error(Defect defect, int at, String why, String corrected) {
    report(defect, Severity.ERROR, at, why, corrected);
  }

  /** The same where only the author knows what to write instead. */
  void error(Defect defect, int at, String why) {
    error(defect, at, why, "");
  }

  /** Reports that the rule does badly what it says. */
  void warn(Defect defect, int at, String why, String corrected) {
    report(defect, Severity.WARNING, at, why, corrected);
  }

  /** The same where only the author knows what to write instead. */
  void warn(Defect defect, int at, String why) {
    warn(defect, at, why, "");
  }

  /** Reports what is wrong at a place of the expression, and what to write instead. */
  void report(Defect defect, Severity severity, int at, String why, String corrected) {
    findings.add(
        new LintFinding(
            defect, severity, file.file(), source.lineOf(at), source.name(),
            source.text().restored(why), source.text().restored(corrected)));
  }
}
