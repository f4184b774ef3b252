package tallystick.promql;

import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Walks, rewrites and folds expressions. */
public final class Expressions {
  private Expressions() {}

  /** The expression and everything inside it, outermost first. */
  public static Stream<Expression> all(Expression root) {
    return Stream.concat(Stream.of(root), root.children().stream().flatMap(Expressions::all));
  }

  /** The parts of one kind, in the order they are written. */
  public static <T extends Expression> Stream<T> all(Expression root, Class<T> kind) {
    return all(root).filter(kind::isInstance).map(kind::cast);
  }

  /** The tree with each part replaced by what {@code change} makes of it, inner parts first. */
  public static Expression map(Expression root, UnaryOperator<Expression> change) {
    Expression inner =
        switch (root) {
          case Expression.NumberLiteral number -> number;
          case Expression.StringLiteral text -> text;
          case Expression.VectorSelector selector -> selector;
          case Expression.RangeSelector range ->
              map(range.selector(), change) instanceof Expression.VectorSelector changed
                  ? new Expression.RangeSelector(changed, range.rangeMillis(), range.at())
                  : range;
          case Expression.Subquery subquery ->
              new Expression.Subquery(
                  map(subquery.inner(), change), subquery.rangeMillis(), subquery.stepMillis(),
                  subquery.timing(), subquery.at());
          case Expression.Call call ->
              new Expression.Call(
                  call.function(),
                  call.arguments().stream().map(argument -> map(argument, change)).toList(),
                  call.at());
          case Expression.Aggregation aggregation ->
              new Expression.Aggregation(
                  aggregation.operator(),
                  aggregation.parameter(),
                  map(aggregation.operand(), change),
                  aggregation.grouping(),
                  aggregation.without(),
                  aggregation.at());
          case Expression.BinaryOperation operation ->
              new Expression.BinaryOperation(
                  operation.operator(),
                  map(operation.left(), change),
                  map(operation.right(), change),
                  operation.matching(),
                  operation.at());
          case Expression.Negation negation ->
              new Expression.Negation(map(negation.operand(), change), negation.at());
          case Expression.Parentheses parentheses ->
              new Expression.Parentheses(map(parentheses.inner(), change), parentheses.at());
        };
    return change.apply(inner);
  }

  /** What an expression is worth. */
  public static Expression.Type type(Expression expression) {
    return Signatures.type(expression);
  }

  /** The number an expression of literals amounts to; empty if it has anything else in it. */
  public static OptionalDouble constant(Expression expression) {
    return switch (expression.bare()) {
      case Expression.NumberLiteral number -> OptionalDouble.of(number.value());
      case Expression.Negation negation -> {
        OptionalDouble value = constant(negation.operand());
        yield value.isPresent() ? OptionalDouble.of(-value.getAsDouble()) : value;
      }
      case Expression.BinaryOperation operation
          when !operation.isComparison() && !operation.isSetOperation() -> {
        OptionalDouble left = constant(operation.left());
        OptionalDouble right = constant(operation.right());
        yield left.isPresent() && right.isPresent()
            ? OptionalDouble.of(
                Operators.arithmetic(
                    operation.operator(), left.getAsDouble(), right.getAsDouble()))
            : OptionalDouble.empty();
      }
      default -> OptionalDouble.empty();
    };
  }
}
