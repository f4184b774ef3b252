package tallystick.report;

import java.util.Locale;
import tallystick.analysis.RunAnalysis.Comparison;

/** How the comparison of one quantity reads. */
final class ComparisonText {
  private ComparisonText() {}

  /** {@code TTFT}. */
  static String name(Comparison comparison) {
    return comparison.quantity().toUpperCase(Locale.ROOT);
  }

  /** Verdict, gap of the means and what explains it. */
  static String sentence(Comparison comparison) {
    return comparison.verdict().replace('_', ' ')
        + "; client - engine mean "
        + Numbers.latency(comparison.meanGap())
        + ". "
        + comparison.explanation();
  }
}
