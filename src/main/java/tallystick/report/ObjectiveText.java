package tallystick.report;

import tallystick.analysis.Figure;
import tallystick.analysis.RunAnalysis.ObjectiveResult;

/** How a judged objective reads. */
final class ObjectiveText {
  private ObjectiveText() {}

  /** {@code 1,180 of 1,200 good (90 % CI 97.4 % to 98.9 %)}. */
  static String result(ObjectiveResult result) {
    String counts =
        Numbers.count(result.good()) + " of " + Numbers.count(result.judged()) + " good";
    String interval = interval(result);
    return interval.isEmpty() ? counts : counts + " (" + interval + ")";
  }

  /** The interval of the share of good things; empty where there is none. */
  static String interval(ObjectiveResult result) {
    return result.low() instanceof Figure.Known low && result.high() instanceof Figure.Known high
        ? "90 % CI "
            + Numbers.percent(low.value())
            + " to "
            + Numbers.percent(high.value())
        : "";
  }
}
