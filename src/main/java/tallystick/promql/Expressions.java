package tallystick.promql;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tallystick.promql.Expression.Type;

/** Walks, rewrites and folds expressions. */
public final class Expressions {
  /** Recordings of recordings; one that reads itself ends there. */
  private static final int MOST_RECORDED_DEEP = 5;

  /** A recording that reads itself sixty times would be sixty to the sixth parts. */
  private static final long MOST_RECORDED_PARTS = 2_000;

  private Expressions() {}

  /** The expression and everything inside it, outermost first. */
  public static Stream<Expression> all(Expression root) {
    return Stream.concat(Stream.of(root), root.children().stream().flatMap(Expressions::all));
  }

  /** The parts of one kind, in the order they are written. */
  public static <T extends Expression> Stream<T> all(Expression root, Class<T> kind) {
    return all(root).filter(kind::isInstance).map(kind::cast);
  }

  /** The selectors, those of ranges too. */
  public static Stream<Expression.VectorSelector> selectors(Expression root) {
    return all(root, Expression.VectorSelector.class);
  }

  /** The selectors whose series are needed: not those that are watched for their absence. */
  public static Stream<Expression.VectorSelector> needed(Expression root) {
    boolean isAbsence = root instanceof Expression.Call call && isAbsence(call.function());
    Stream<Expression.VectorSelector> inner =
        isAbsence ? Stream.of() : root.children().stream().flatMap(Expressions::needed);
    return root instanceof Expression.VectorSelector selector ? Stream.of(selector) : inner;
  }

  /** The names of the metrics that the selectors read; empty for one that names none. */
  public static Stream<String> metrics(Expression root) {
    return selectors(root).map(Expression.VectorSelector::metric);
  }

  /** The calls of some functions. */
  public static Stream<Expression.Call> calls(Expression root, Predicate<String> isFunction) {
    return all(root, Expression.Call.class).filter(call -> isFunction.test(call.function()));
  }

  /** Whether any part asks for what is not there. */
  public static boolean asksForAbsence(Expression root) {
    return calls(root, Expressions::isAbsence).findAny().isPresent();
  }

  private static boolean isAbsence(String function) {
    return function.startsWith("absent");
  }

  /** The operations of one operator. */
  public static Stream<Expression.BinaryOperation> operations(Expression root, String operator) {
    return all(root, Expression.BinaryOperation.class)
        .filter(operation -> operation.operator().equals(operator));
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
              aggregation.of(map(aggregation.operand(), change));
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

  /**
   * The tree with recorded metrics replaced by what they record, as far as the bounds go.
   *
   * @param recorded what a part stands for; empty where it is no recording
   */
  public static Expression resolved(
      Expression root, Function<Expression, Optional<Expression>> recorded) {
    long[] left = {MOST_RECORDED_PARTS};
    UnaryOperator<Expression> insert =
        each -> {
          Optional<Expression> found = left[0] > 0 ? recorded.apply(each) : Optional.empty();
          left[0] -= found.map(part -> all(part).count()).orElse(0L);
          return found.orElse(each);
        };
    Expression result = root;
    for (int i = 0; i < MOST_RECORDED_DEEP; i++) {
      result = map(result, insert);
    }
    return result;
  }

  /** What an expression is worth. */
  public static Type type(Expression expression) {
    return switch (expression) {
      case Expression.NumberLiteral ignored -> Type.SCALAR;
      case Expression.StringLiteral ignored -> Type.STRING;
      case Expression.VectorSelector ignored -> Type.INSTANT_VECTOR;
      case Expression.RangeSelector ignored -> Type.RANGE_VECTOR;
      case Expression.Subquery ignored -> Type.RANGE_VECTOR;
      case Expression.Call call ->
          Set.of("time", "pi", "scalar").contains(call.function())
              ? Type.SCALAR
              : Type.INSTANT_VECTOR;
      case Expression.Aggregation ignored -> Type.INSTANT_VECTOR;
      case Expression.BinaryOperation operation ->
          type(operation.left()) == Type.SCALAR && type(operation.right()) == Type.SCALAR
              ? Type.SCALAR
              : Type.INSTANT_VECTOR;
      case Expression.Negation negation -> type(negation.operand());
      case Expression.Parentheses parentheses -> type(parentheses.inner());
    };
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
