package tallystick.report;

import tallystick.analysis.Figure;
import tallystick.analysis.RunAnalysis.ObjectiveResult;

/** How a judged objective reads. */
final class ObjectiveText {
  private ObjectiveText() {}

  /** {@code 1,180 of 1,200 good, 98.33 % (90 % CI 97.64 to 98.83 %)}. */
  static String result(ObjectiveResult result) {
    String counts =
        Numbers.count(result.good()) + " of " + Numbers.count(result.judged()) + " good";
    String interval = interval(result);
    String share = ", " + Numbers.percent(result.share());
    return counts + share + (interval.isEmpty() ? "" : " (" + interval + ")");
  }

  /** The interval of the share of good things; empty where there is none. */
  static String interval(ObjectiveResult result) {
    return result.low() instanceof Figure.Known low && result.high() instanceof Figure.Known high
        ? "90 % CI "
            + Numbers.percent(low.value()).replace(" %", "")
            + " to "
            + Numbers.percent(high.value())
        : "";
  }
}
