package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;

/** What is to be said of a phase beside its figures. */
final class PhaseText {
  private PhaseText() {}

  /** Steady state, growth, places where the level changed, objectives. */
  static String notes(PhaseAnalysis phase) {
    List<String> notes = new ArrayList<>();
    notes.add(phase.steady().text());
    notes.add(steadyMean(phase.steady()));
    notes.add(phase.overload().text());
    notes.add(slope(phase.overload()));
    phase.changes().forEach(change -> notes.add(change(change, phase.steady())));
    phase.objectives().forEach(result -> notes.add(objective(result)));
    return String.join(" ", notes.stream().filter(note -> !note.isBlank()).toList());
  }

  /** {@code Its mean TTFT is then 71.0 ms (95 % CI 69.2 to 72.8 ms).} */
  private static String steadyMean(PhaseAnalysis.SteadyState steady) {
    if (!(steady.mean().value() instanceof Figure.Known mean)) {
      return "";
    }
    String interval =
        steady.mean().low() instanceof Figure.Known low
                && steady.mean().high() instanceof Figure.Known high
            ? " (95 % CI " + latency(low.value()) + " to " + latency(high.value()) + ")"
            : "";
    return "Its mean TTFT is then " + latency(mean.value()) + interval + ".";
  }

  /** {@code Slope of requests in flight: 0.0210 per second (one-sided p 0.31).} */
  private static String slope(PhaseAnalysis.Overload overload) {
    return overload.slopePerSecond() instanceof Figure.Known slope
        ? "Slope of requests in flight: "
            + Numbers.number(slope.value())
            + " per second (one-sided p "
            + Numbers.probability(overload.pValue())
            + ")."
        : "";
  }

  /** {@code TTFT changed from 71.0 ms to 930 ms at 24.5 s (p 0.005).} */
  private static String change(
      PhaseAnalysis.ChangePoint change, PhaseAnalysis.SteadyState steady) {
    boolean isFilling =
        steady.cutSeconds() instanceof Figure.Known cut && change.atSeconds() < cut.value();
    return (isFilling ? "While the engine filled, TTFT changed from " : "TTFT changed from ")
        + latency(change.before())
        + " to "
        + latency(change.after())
        + " at "
        + Numbers.number(change.atSeconds())
        + " s (p "
        + Numbers.probability(change.pValue())
        + ").";
  }

  private static String objective(ObjectiveResult result) {
    return Wording.objective(result.objective()) + ": " + result.verdict().words() + ".";
  }

  private static String latency(double seconds) {
    return LatencyUnit.fitting(seconds).text(seconds);
  }
}
