package tallystick.experiment.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.experiment.RateFormat;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.scenario.Formatted;

/** Lines about a study while it goes on. */
final class StudyLines {
  private StudyLines() {}

  /** What begins, and how long it takes. */
  static String begin(StudyRun run) {
    String steps =
        run.steps().stream()
            .map(step -> word(step) + " " + RateFormat.text(step.perSecond()))
            .collect(Collectors.joining(", "));
    return Formatted.of(
        "run %d  %s: %s requests/s, %.0f s", run.number(), run.mix(), steps, run.loadSeconds());
  }

  private static String word(StudyStep step) {
    return step.kind().name().toLowerCase(Locale.ROOT);
  }

  /** What it showed. */
  static String end(StudyResult result) {
    if (result.trusted() && result.readings().isEmpty()) {
      return "       tried: the answer says how early each alert was";
    }
    return result.trusted()
        ? "       good: "
            + result.readings().stream().map(StudyLines::words).collect(Collectors.joining(", "))
        : "       not used: " + result.doubt();
  }

  private static String words(StepReading reading) {
    return Formatted.of("%s %.1f %%", word(reading.step()), 100 * reading.goodShare());
  }

  /** How many thresholds are earned or still may be; empty while nobody knows. */
  static Optional<String> missing(List<ThresholdProgress> standings) {
    if (standings.isEmpty()) {
      return Optional.empty();
    }
    long earned = of(ThresholdProgress.State.EARNED, standings);
    long open = of(ThresholdProgress.State.OPEN, standings);
    long never = of(ThresholdProgress.State.OUT_OF_REACH, standings);
    return Optional.of(
        "       " + earned + " of " + standings.size() + " thresholds are ready"
            + (open > 0 ? ", " + open + " need more runs" : "")
            + (never > 0 ? ", " + never + " are out of reach" : ""));
  }

  private static long of(ThresholdProgress.State state, List<ThresholdProgress> standings) {
    return standings.stream().filter(one -> one.state() == state).count();
  }
}
