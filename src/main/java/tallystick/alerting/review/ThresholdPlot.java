package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalWindow;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.answer.Tone;
import tallystick.answer.chart.Plot;
import tallystick.answer.chart.Strip;
import tallystick.answer.words.Numbers;

/**
 * Why a threshold stands where it does: each window's share of bad requests over the signal's
 * value, the threshold with its interval, and the objective.
 *
 * @param badAllowed share of bad requests that the objective allows
 */
record ThresholdPlot(Derived derived, List<SignalWindow> windows, double badAllowed) {
  /** More windows are thinned; the extremes stay. */
  static final int MOST_WINDOWS = 400;

  /** So many thresholds wide is the axis at most: overload lies far beyond, and tells nothing. */
  private static final double MOST_THRESHOLDS = 4;

  /** So that a threshold that nothing passed stands inside its strip. */
  private static final double LEAST_THRESHOLDS = 1.2;

  Plot plot() {
    double threshold = derived.threshold();
    double high = derived.evidence().thresholdHigh();
    double reach = Math.max(MOST_THRESHOLDS * threshold, high);
    return new Plot(
        derived.signal().meaning(), sorted(threshold, windows),
        new Plot.Axis(
            derived.signal().unit(), Plot.Reach.FROM_ZERO,
            reach > 0 ? reach : Double.POSITIVE_INFINITY, Numbers::threshold),
        new Plot.Axis("bad requests", Plot.Reach.FROM_ZERO, Numbers::percent),
        List.of(
            series(Verdict.NOT_JUDGED, Tone.MUTED, Plot.Shape.DOT),
            series(Verdict.MET, Tone.GOOD, Plot.Shape.DISC),
            series(Verdict.MISSED, Tone.BAD, Plot.Shape.CROSS)),
        List.of(
            new Plot.Guide(true, derived.evidence().thresholdLow(), high, Tone.ENGINE, ""),
            Plot.Guide.at(false, badAllowed, Tone.PLAIN, ""),
            Plot.Guide.at(
                true, threshold, Tone.PLAIN, "fires above " + Numbers.threshold(threshold))));
  }

  /** The same in one line: the windows' values, and the threshold through them. */
  Strip strip() {
    double threshold = derived.threshold();
    double most = windows.stream().mapToDouble(SignalWindow::value).max().orElse(0);
    return new Strip(
        sorted(threshold, windows),
        thinned(windows).stream()
            .map(window -> new Strip.Value(window.value(), tone(window.label())))
            .toList(),
        threshold,
        Math.max(LEAST_THRESHOLDS * threshold, Math.min(most, MOST_THRESHOLDS * threshold)));
  }

  private static Tone tone(Verdict users) {
    return switch (users) {
      case MET -> Tone.GOOD;
      case MISSED -> Tone.BAD;
      case NOT_JUDGED -> Tone.MUTED;
    };
  }

  private Plot.Series series(Verdict users, Tone tone, Plot.Shape shape) {
    return new Plot.Series(
        "", tone, shape, Plot.Line.NONE,
        thinned(windows).stream()
            .filter(window -> window.label() == users)
            .map(window -> Plot.Point.of(window.value(), window.badShare()))
            .toList());
  }

  /** How a threshold sorts the windows. */
  static String sorted(double threshold, List<SignalWindow> windows) {
    long[] above = new long[Verdict.values().length];
    long[] below = new long[Verdict.values().length];
    for (SignalWindow window : windows) {
      (window.value() > threshold ? above : below)[window.label().ordinal()]++;
    }
    return String.format(
        Locale.ROOT,
        "Above %s: %d windows in which users suffered, %d in which they did not. Not above: %d"
            + " and %d. Undecided windows, not counted: %d.",
        Numbers.threshold(threshold), above[Verdict.MISSED.ordinal()],
        above[Verdict.MET.ordinal()], below[Verdict.MISSED.ordinal()],
        below[Verdict.MET.ordinal()],
        above[Verdict.NOT_JUDGED.ordinal()] + below[Verdict.NOT_JUDGED.ordinal()]);
  }

  static List<SignalWindow> thinned(List<SignalWindow> all) {
    if (all.size() <= MOST_WINDOWS) {
      return all;
    }
    List<SignalWindow> kept = new ArrayList<>();
    kept.add(Collections.max(all, Comparator.comparingDouble(SignalWindow::badShare)));
    kept.add(Collections.min(all, Comparator.comparingDouble(SignalWindow::badShare)));
    for (int i = 0; i < MOST_WINDOWS; i++) {
      kept.add(all.get((int) ((long) i * (all.size() - 1) / (MOST_WINDOWS - 1))));
    }
    return kept;
  }
}
