package tallystick.experiment.study;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

  /** How many thresholds are earned, and what the others lack; empty while nobody knows. */
  static Optional<String> missing(List<ThresholdProgress> standings) {
    if (standings.isEmpty()) {
      return Optional.empty();
    }
    long earned =
        standings.stream().filter(one -> one.state() == ThresholdProgress.State.EARNED).count();
    Map<String, Long> open =
        standings.stream()
            .filter(ThresholdProgress::isOpen)
            .collect(
                Collectors.groupingBy(
                    ThresholdProgress::words, TreeMap::new, Collectors.counting()));
    String missing =
        open.entrySet().stream()
            .map(one -> one.getKey() + " (" + one.getValue() + ")")
            .collect(Collectors.joining(", "));
    return Optional.of(
        "       " + earned + " of " + standings.size() + " signals have a threshold; "
            + (open.isEmpty() ? "no other is in reach" : "not yet: " + missing));
  }
}
