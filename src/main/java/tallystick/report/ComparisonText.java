package tallystick.report;

import java.util.Locale;
import tallystick.analysis.result.Comparison;
import tallystick.scenario.PlainText;

/** How the comparison of one quantity reads. */
final class ComparisonText {
  private ComparisonText() {}

  /** {@code TTFT}. */
  static String name(Comparison comparison) {
    return comparison.quantity().name();
  }

  /** Verdict, gap of the means and what explains it. */
  static String sentence(Comparison comparison) {
    String verdict = comparison.verdict().words();
    return isChecked(comparison)
        ? verdict
            + "; client - engine mean "
            + Numbers.latency(comparison.meanGap())
            + ". "
            + explanation(comparison)
        : verdict + ": " + comparison.explanation();
  }

  /** Whether there are two sides to say anything of. */
  static boolean isChecked(Comparison comparison) {
    return comparison.verdict() != Comparison.Verdict.NOT_CHECKED;
  }

  /** The explanation as a sentence of its own. */
  static String explanation(Comparison comparison) {
    String text = PlainText.oneLine(comparison.explanation());
    boolean isSentence = text.isEmpty() || text.endsWith(".");
    String begun = text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT);
    return begun + text.substring(begun.length()) + (isSentence ? "" : ".");
  }
}
