package tallystick.alerting.lint;

import tallystick.promql.Expression;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.Matching;
import tallystick.promql.Expression.Parentheses;
import tallystick.promql.Expressions;

/** Finds alerts that fire whatever the values are: an alert fires for all that is left, 0 too. */
final class FiringChecks {
  private FiringChecks() {}

  static void check(LintedRule rule) {
    if (rule.source().alert()) {
      bool(rule);
      orVector(rule);
    }
  }

  /** {@code x > bool 100} is 0 where it is not so, and an alert fires for a 0. */
  private static void bool(LintedRule rule) {
    Expression whole = rule.expression().bare();
    if (isFlag(rule, whole)) {
      BinaryOperation operation = (BinaryOperation) whole;
      rule.error(
          Defect.ALWAYS_FIRES,
          operation.at(),
          "with bool a comparison gives 0 or 1 and leaves out nothing: an alert fires for every"
              + " value that is there, 0 too",
          operation.isComparison() ? rule.with(operation, filtering(operation)) : "");
    }
  }

  /** Whether a part is made of 0s and 1s for everything that is there. */
  private static boolean isFlag(LintedRule rule, Expression part) {
    if (!(part.bare() instanceof BinaryOperation operation)) {
      return false;
    }
    if (operation.isComparison()) {
      return operation.matching().returnsBool()
          && !leavesOut(rule.resolved(operation.left()))
          && !leavesOut(rule.resolved(operation.right()));
    }
    boolean joins = operation.operator().equals("*") || operation.operator().equals("+");
    return joins && isFlag(rule, operation.left()) && isFlag(rule, operation.right());
  }

  /** Whether something that is there may be missing in what a part gives. */
  private static boolean leavesOut(Expression part) {
    boolean filters =
        Expressions.all(part, BinaryOperation.class)
            .anyMatch(
                operation ->
                    operation.isSetOperation() && !operation.operator().equals("or")
                        || operation.isComparison() && !operation.matching().returnsBool());
    return filters || Expressions.asksForAbsence(part);
  }

  private static BinaryOperation filtering(BinaryOperation operation) {
    Matching old = operation.matching();
    return new BinaryOperation(
        operation.operator(),
        operation.left(),
        operation.right(),
        new Matching(false, old.on(), old.labels(), old.cardinality(), old.include()),
        operation.at());
  }

  /** {@code x or vector(0) > 5} compares the 0 only. */
  private static void orVector(LintedRule rule) {
    if (!(rule.expression().bare() instanceof BinaryOperation or)
        || !or.operator().equals("or")
        || !(or.right() instanceof BinaryOperation comparison)
        || !comparison.isComparison()
        || !isVector(comparison.left())
        || Expressions.constant(comparison.right()).isEmpty()
        || !isNumbers(rule.resolved(or.left()))) {
      return;
    }
    Expression joined =
        new BinaryOperation("or", or.left(), comparison.left(), or.matching(), or.at());
    Expression meant =
        new BinaryOperation(
            comparison.operator(),
            new Parentheses(joined, or.at()),
            comparison.right(),
            comparison.matching(),
            comparison.at());
    rule.error(
        Defect.ALWAYS_FIRES,
        or.at(),
        comparison.operator() + " binds tighter than or: only vector is compared, and the alert"
            + " fires for every value on the left of or",
        rule.with(or, meant));
  }

  private static boolean isVector(Expression part) {
    return part.bare() instanceof Call call && call.function().equals("vector");
  }

  /** Whether a part is a computed value that nothing filters. */
  private static boolean isNumbers(Expression part) {
    boolean computed =
        Expressions.all(part).anyMatch(each -> each instanceof Call || each instanceof Aggregation);
    return computed && !leavesOut(part);
  }
}
