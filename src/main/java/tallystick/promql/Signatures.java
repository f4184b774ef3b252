package tallystick.promql;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tallystick.promql.Expression.Type;

/** The functions known here with what they take, and the aggregations. */
final class Signatures {
  static final Set<String> AGGREGATIONS =
      Set.of("sum", "min", "max", "avg", "count", "group", "stddev", "stdvar", "topk", "bottomk",
          "quantile", "count_values");

  static final Set<String> PARAMETERISED = Set.of("topk", "bottomk", "quantile", "count_values");

  /** Name → kinds of its arguments: r range, v vector, s scalar, t text; optional after a ?. */
  private static final Map<String, String> FUNCTIONS = new HashMap<>();

  static {
    for (String name :
        ("rate increase delta irate idelta deriv changes resets avg_over_time min_over_time"
                + " max_over_time sum_over_time count_over_time last_over_time present_over_time"
                + " stddev_over_time stdvar_over_time absent_over_time")
            .split(" ")) {
      FUNCTIONS.put(name, "r");
    }
    for (String name :
        "abs ceil floor sqrt exp ln log2 log10 sgn absent scalar sort sort_desc timestamp"
            .split(" ")) {
      FUNCTIONS.put(name, "v");
    }
    for (String name :
        "minute hour day_of_month day_of_week day_of_year days_in_month month year".split(" ")) {
      FUNCTIONS.put(name, "?v");
    }
    FUNCTIONS.put("time", "");
    FUNCTIONS.put("pi", "");
    FUNCTIONS.put("vector", "s");
    FUNCTIONS.put("round", "v?s");
    FUNCTIONS.put("clamp", "vss");
    FUNCTIONS.put("clamp_min", "vs");
    FUNCTIONS.put("clamp_max", "vs");
    FUNCTIONS.put("histogram_quantile", "sv");
    FUNCTIONS.put("quantile_over_time", "sr");
    FUNCTIONS.put("predict_linear", "rs");
    FUNCTIONS.put("label_replace", "vtttt");
    FUNCTIONS.put("label_join", "vtt*");
  }

  private Signatures() {}

  static Optional<String> arguments(String function) {
    return Optional.ofNullable(FUNCTIONS.get(function));
  }

  /** What an expression is worth. */
  static Type type(Expression expression) {
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

  static Type typeOf(char kind) {
    return switch (kind) {
      case 'r' -> Type.RANGE_VECTOR;
      case 'v' -> Type.INSTANT_VECTOR;
      case 's' -> Type.SCALAR;
      default -> Type.STRING;
    };
  }
}
