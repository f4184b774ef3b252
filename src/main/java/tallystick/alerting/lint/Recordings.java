package tallystick.alerting.lint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.promql.Expression;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;

/** The recordings of one file, found by the name they record. */
record Recordings(Map<String, List<RuleSource>> byName) {
  private static final int MOST_DEEP = 5; // a bound
  /** A recording that reads itself sixty times would be sixty to the sixth parts. */
  private static final long MOST_PARTS = 2_000;

  static Recordings of(RuleFile file) {
    return new Recordings(
        file.rules().stream()
            .filter(rule -> rule.kind() == RuleSource.Kind.RECORDING)
            .collect(Collectors.groupingBy(RuleSource::name)));
  }

  /** The recordings under a name, in the file's order. */
  List<RuleSource> named(String metric) {
    return byName.getOrDefault(metric, List.of());
  }

  /** An expression with recordings replaced by what they record, as far as the bounds go. */
  Expression resolved(Expression part) {
    long[] left = {MOST_PARTS};
    UnaryOperator<Expression> insert =
        each -> each instanceof VectorSelector selector ? inserted(selector, left) : each;
    Expression result = part;
    for (int i = 0; i < MOST_DEEP; i++) {
      result = Expressions.map(result, insert);
    }
    return result;
  }

  private Expression inserted(VectorSelector selector, long[] left) {
    Optional<Expression> recorded =
        named(selector.metric()).stream().flatMap(rule -> rule.expression().stream()).findFirst();
    if (recorded.isEmpty() || left[0] <= 0) {
      return selector;
    }
    left[0] -= Expressions.all(recorded.get()).count();
    return new Expression.Parentheses(recorded.get(), selector.at());
  }
}
