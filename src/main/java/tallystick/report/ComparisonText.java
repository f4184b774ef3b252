package tallystick.report;

import java.util.Locale;
import tallystick.analysis.result.RunAnalysis.Comparison;
import tallystick.scenario.PlainText;

/** How the comparison of one quantity reads. */
final class ComparisonText {
  private ComparisonText() {}

  /** {@code TTFT}. */
  static String name(Comparison comparison) {
    return comparison.quantity().toUpperCase(Locale.ROOT);
  }

  /** The verdict. */
  static Mark mark(Comparison comparison) {
    Tone tone =
        switch (comparison.verdict()) {
          case "explained" -> Tone.GOOD;
          case "inconsistent" -> Tone.BAD;
          case "not_explained" -> Tone.CAUTION;
          default -> Tone.MUTED;
        };
    return new Mark(tone, comparison.verdict().replace('_', ' '));
  }

  /** Both means, the gap between them, and what explains it. */
  static String sentence(Comparison comparison) {
    String means =
        "Mean "
            + Numbers.latency(comparison.clientMean())
            + " at the client, "
            + Numbers.latency(comparison.engineMean())
            + " in the engine, gap "
            + Numbers.latency(comparison.meanGap())
            + ". ";
    return (isChecked(comparison) ? means : "") + explanation(comparison);
  }

  /** Whether there are two sides to say anything of. */
  static boolean isChecked(Comparison comparison) {
    return !comparison.verdict().equals("not_checked");
  }

  private static String explanation(Comparison comparison) {
    String text = PlainText.oneLine(comparison.explanation());
    boolean isSentence = text.isEmpty() || text.endsWith(".");
    String begun = text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT);
    return begun + text.substring(begun.length()) + (isSentence ? "" : ".");
  }
}
