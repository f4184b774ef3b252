package tallystick.promql;

import java.util.HashMap;
import java.util.List;
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

  /** Kinds of arguments, and who takes them: r range, v vector, s scalar, t text; ? optional. */
  private static final String TAKEN =
      """
      r rate increase delta irate idelta deriv changes resets avg_over_time min_over_time
      r max_over_time sum_over_time count_over_time last_over_time present_over_time
      r stddev_over_time stdvar_over_time absent_over_time
      v abs ceil floor sqrt exp ln log2 log10 sgn absent scalar sort sort_desc timestamp
      ?v minute hour day_of_month day_of_week day_of_year days_in_month month year
       time pi
      s vector
      v?s round
      vss clamp
      vs clamp_min clamp_max
      sv histogram_quantile
      sr quantile_over_time
      rs predict_linear
      vtttt label_replace
      vtt* label_join
      """;

  private static final Map<String, String> FUNCTIONS = new HashMap<>();

  static {
    for (String line : TAKEN.lines().toList()) {
      List<String> words = List.of(line.split(" "));
      words.stream().skip(1).forEach(name -> FUNCTIONS.put(name, words.getFirst()));
    }
  }

  private Signatures() {}

  static Optional<String> arguments(String function) {
    return Optional.ofNullable(FUNCTIONS.get(function));
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
