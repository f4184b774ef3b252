package tallystick.alerting;

import java.util.regex.Pattern;

/** A rule file before a chart or a playbook filled it in: it has no rules yet. */
public final class RuleTemplate {
  /** What its author should do. */
  public static final String HINT =
      "this is a template: render it first, for example with helm template";

  /** Prometheus's own templates name $labels, $value and functions; those of charts begin so. */
  private static final Pattern ACTION =
      Pattern.compile(
          "\\{\\{-?\\s*(?:\\.|\\$\\.|(?:if|range|with|end|include|template|define|else)\\b)");

  private RuleTemplate() {}

  /** Whether a text has something to be filled in that is not Prometheus's. */
  public static boolean isIn(String text) {
    return ACTION.matcher(text).find();
  }
}
