package tallystick.alerting;

import java.util.Map;
import java.util.Optional;
import tallystick.promql.Expression;
import tallystick.promql.RuleGroup;

/**
 * One rule of a rule file, with the places a finding must name.
 *
 * @param alert whether it alerts; otherwise it records
 * @param name the alert's name or the recorded metric
 * @param group the group it is in
 * @param line line of its first key
 * @param text its expression as written
 * @param textLine line of the expression's first character
 * @param expression the expression; empty where it could not be read
 * @param fault why not; empty where it could
 * @param holdMillis {@code for}
 * @param keepFiringMillis {@code keep_firing_for}
 */
public record RuleSource(
    boolean alert,
    String name,
    String group,
    int line,
    String text,
    int textLine,
    Optional<Expression> expression,
    Optional<Fault> fault,
    long holdMillis,
    long keepFiringMillis,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /**
   * Why an expression could not be read.
   *
   * @param understood false where Prometheus may read it but this does not
   * @param offset characters before it in the text
   */
  public record Fault(String message, boolean understood, int offset) {}

  public RuleSource {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** Line of a place in the expression. */
  public int lineOf(int offset) {
    String before = text.substring(0, Math.min(offset, text.length()));
    return textLine + (int) before.chars().filter(c -> c == '\n').count();
  }

  /** The rule to evaluate; empty if its expression could not be read. */
  public Optional<RuleGroup.Rule> rule() {
    return expression.map(
        read ->
            alert
                ? new RuleGroup.Alert(name, read, holdMillis, keepFiringMillis, labels)
                : new RuleGroup.Recording(name, read, labels));
  }
}
