package tallystick.promql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rules that are evaluated together, in order, at one interval.
 *
 * @param name unique in its file
 * @param intervalMillis time between evaluations; 0 leaves it to Prometheus
 * @param rules in order: a rule sees what those before it recorded at the same evaluation
 */
public record RuleGroup(String name, long intervalMillis, List<Rule> rules) {

  /** One rule. */
  public sealed interface Rule {
    /** The recorded metric or the alert's name. */
    String name();

    /** What it evaluates. */
    Expression expression();

    /** Labels it adds. */
    Map<String, String> labels();
  }

  /** A rule that stores the worth of an expression as a series of its own. */
  public record Recording(String name, Expression expression, Map<String, String> labels)
      implements Rule {
    public Recording {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * A rule that alerts for each element of its expression.
   *
   * @param holdMillis {@code for}: how long an element must be there before it fires
   * @param keepFiringMillis {@code keep_firing_for}: how long it fires after it is gone
   */
  public record Alert(
      String name,
      Expression expression,
      long holdMillis,
      long keepFiringMillis,
      Map<String, String> labels)
      implements Rule {
    public Alert {
      labels = Map.copyOf(labels);
    }
  }

  public RuleGroup {
    rules = List.copyOf(rules);
  }

  /** The rules that alert. */
  public List<Alert> alerts() {
    return rules.stream().filter(Alert.class::isInstance).map(Alert.class::cast).toList();
  }

  /** The rules that record. */
  public List<Recording> recordings() {
    return rules.stream().filter(Recording.class::isInstance).map(Recording.class::cast).toList();
  }

  /** The metrics that the rules of some groups read. */
  public static Set<String> metrics(List<RuleGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.rules().stream())
        .flatMap(rule -> Expressions.metrics(rule.expression()))
        .collect(Collectors.toSet());
  }
}
