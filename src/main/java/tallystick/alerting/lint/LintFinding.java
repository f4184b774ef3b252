package tallystick.alerting.lint;

import tallystick.analysis.result.Choice;
import tallystick.scenario.PlainText;

/**
 * One thing wrong with one rule.
 *
 * @param file as the user named it
 * @param line line of the place
 * @param rule name of the alert or recording, or title and path of the panel; empty for the file
 *     as a whole
 * @param why what follows from it, with the numbers
 * @param corrected what to write instead; empty where only the author can know
 */
public record LintFinding(
    Defect defect,
    Severity severity,
    String file,
    int line,
    String rule,
    String why,
    String corrected) {

  public LintFinding {
    // A line break in a name would begin a finding that is none.
    rule = PlainText.oneLine(rule);
    why = PlainText.oneLine(why);
  }

  /** How grave it is; the codes are SARIF's too. */
  public enum Severity implements Choice {
    /** The rule does not do what it says: exit code 1. */
    ERROR,
    /** It does, but badly. */
    WARNING,
    /** Could not be judged. */
    NOTE
  }
}
