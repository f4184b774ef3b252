package tallystick.alerting;

import java.util.Map;
import java.util.Optional;
import tallystick.promql.Expression;
import tallystick.promql.NotUnderstoodException;
import tallystick.promql.PromqlException;
import tallystick.promql.RuleGroup;

/**
 * One rule of a rule file or query of a dashboard, with the places a finding must name.
 *
 * @param kind what its expression is for
 * @param name the alert's name, the recorded metric, or the panel's title and path
 * @param group the group it is in
 * @param line line of its first key
 * @param text its expression
 * @param expression the expression; empty where it could not be read
 * @param fault why not; empty where it could
 * @param holdMillis {@code for}
 * @param keepFiringMillis {@code keep_firing_for}
 */
public record RuleSource(
    Kind kind,
    String name,
    String group,
    int line,
    QueryText text,
    Optional<Expression> expression,
    Optional<Fault> fault,
    long holdMillis,
    long keepFiringMillis,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /** What an expression is for. */
  public enum Kind {
    /** It alerts. */
    ALERT,
    /** It records. */
    RECORDING,
    /** Somebody looks at it: it has no threshold, no for, and nobody is woken. */
    QUERY
  }

  /**
   * Why an expression could not be read.
   *
   * @param understood false where Prometheus may read it but this does not
   * @param offset characters before it in the text
   */
  public record Fault(String message, boolean understood, int offset) {
    /**
     * What a parser says.
     *
     * @param isMetricsQl whether a VictoriaMetrics reads it, which knows more than PromQL
     */
    public static Fault of(PromqlException e, boolean isMetricsQl) {
      boolean understood = !isMetricsQl && !(e instanceof NotUnderstoodException);
      return new Fault(e.getMessage(), understood, e.offset());
    }
  }

  public RuleSource {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** Whether it alerts. */
  public boolean alert() {
    return kind == Kind.ALERT;
  }

  /** Whether it is a dashboard's. */
  public boolean isQuery() {
    return kind == Kind.QUERY;
  }

  /** Line of a place in the expression. */
  public int lineOf(int offset) {
    String before = text.read().substring(0, Math.min(offset, text.read().length()));
    return text.scalar().textLine() + (int) before.chars().filter(c -> c == '\n').count();
  }

  /** The rule to evaluate; empty if its expression could not be read. */
  public Optional<RuleGroup.Rule> rule() {
    return expression.map(
        read ->
            alert()
                ? new RuleGroup.Alert(name, read, holdMillis, keepFiringMillis, labels)
                : new RuleGroup.Recording(name, read, labels));
  }
}
