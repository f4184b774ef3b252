package tallystick.answer;

import java.util.Locale;
import tallystick.analysis.result.Comparison;
import tallystick.answer.words.Numbers;
import tallystick.scenario.PlainText;

/** How the comparison of one quantity reads. */
public final class ComparisonText {
  private ComparisonText() {}

  /** {@code TTFT}. */
  public static String name(Comparison comparison) {
    return comparison.quantity().name();
  }

  /** The verdict. */
  public static Mark mark(Comparison comparison) {
    Tone tone =
        switch (comparison.verdict()) {
          case EXPLAINED -> Tone.GOOD;
          case INCONSISTENT -> Tone.BAD;
          case NOT_EXPLAINED -> Tone.CAUTION;
          case NOT_COMPARABLE, NOT_CHECKED -> Tone.MUTED;
        };
    return new Mark(tone, comparison.verdict().words());
  }

  /** Both means, the gap between them, and what explains it. */
  public static String sentence(Comparison comparison) {
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
  public static boolean isChecked(Comparison comparison) {
    return comparison.verdict() != Comparison.Verdict.NOT_CHECKED;
  }

  private static String explanation(Comparison comparison) {
    String text = PlainText.oneLine(comparison.explanation());
    boolean isSentence = text.isEmpty() || text.endsWith(".");
    String begun = text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT);
    return begun + text.substring(begun.length()) + (isSentence ? "" : ".");
  }
}
