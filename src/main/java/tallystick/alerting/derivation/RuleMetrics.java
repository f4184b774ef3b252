package tallystick.alerting.derivation;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.RuleGroup;

/** The metrics that rules read. */
public final class RuleMetrics {
  private RuleMetrics() {}

  /** Every name a selector of the rules names. */
  public static Set<String> selected(List<RuleGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.rules().stream())
        .flatMap(rule -> Expressions.all(rule.expression(), VectorSelector.class))
        .map(VectorSelector::metric)
        .collect(Collectors.toSet());
  }
}
