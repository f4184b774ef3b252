package tallystick.alerting.lint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.promql.Expression;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;

/** The recordings of one file, found by the name they record. */
record Recordings(Map<String, List<RuleSource>> byName) {
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
    return Expressions.resolved(
        part,
        each -> each instanceof VectorSelector selector ? recorded(selector) : Optional.empty());
  }

  private Optional<Expression> recorded(VectorSelector selector) {
    return named(selector.metric()).stream()
        .flatMap(rule -> rule.expression().stream())
        .findFirst()
        .map(expression -> new Expression.Parentheses(expression, selector.at()));
  }
}
