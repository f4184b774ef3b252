package tallystick.report.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Objective;
import tallystick.scenario.PlainText;

/** The {@code tally capacity} that goes on where a run ended, whole enough to be typed. */
final class CapacityCommandLine {
  /** Under this name the record's host keeps the command as it was typed. */
  private static final String COMMAND = "command";

  /** What both commands take, with the word after it. */
  private static final Set<String> KEPT =
      Set.of("--target", "--metrics-url", "--model", "--api-key-env", "--set");

  /** What changes no engine. */
  private static final Set<String> DROPPED =
      Set.of("--out", "--seed", "--label", "--verbose", "--quiet", "--json", "--accept-unproven");

  private static final String HIDDEN = "…";

  private CapacityCommandLine() {}

  /**
   * The command; empty where the record does not say how the run was typed, or where {@code
   * capacity} would refuse its objectives or its load.
   */
  static Optional<String> of(RunAnalysis analysis) {
    return Optional.of(analysis.run().host().getOrDefault(COMMAND, ""))
        .filter(typed -> !typed.contains(HIDDEN))
        .filter(typed -> !analysis.run().closedLoop() && hasOneJointObjective(analysis))
        .flatMap(typed -> from(PlainText.arguments(typed), isRehearsed(analysis.run().source())));
  }

  private static boolean hasOneJointObjective(RunAnalysis analysis) {
    List<Objective> objectives =
        analysis.objectives().stream().map(ObjectiveResult::objective).toList();
    return objectives.stream().map(Objective::share).distinct().count() == 1
        && objectives.stream()
            .flatMap(one -> one.parts().stream())
            .noneMatch(one -> one.metric() == Objective.Metric.ITL);
  }

  private static boolean isRehearsed(Manifest.Source source) {
    return switch (source) {
      case EMBEDDED, VIRTUAL -> true;
      case REAL, SIMULATED, UNKNOWN -> false;
    };
  }

  /** The words of a run as those of a search; a simulated engine must be the usual one. */
  private static Optional<String> from(List<String> words, boolean isRehearsed) {
    List<String> kept = new ArrayList<>();
    boolean isUsual = true;
    String before = "";
    for (String word : words.subList(Math.min(1, words.size()), words.size())) {
      String option = word.startsWith("--") ? word.split("=", 2)[0] : "";
      boolean isScenario = option.isEmpty() && word.matches(".*\\.ya?ml'?");
      if (KEPT.contains(option) || KEPT.contains(before) || isScenario) {
        kept.add(word);
      }
      isUsual &= option.isEmpty() || KEPT.contains(option) || DROPPED.contains(option);
      before = word;
    }
    if (isRehearsed) {
      kept.add("--rehearse");
    }
    boolean isTold = kept.stream().anyMatch(word -> word.matches(".*\\.ya?ml'?"));
    return isTold && (isUsual || !isRehearsed)
        ? Optional.of("./tally capacity " + String.join(" ", kept))
        : Optional.empty();
  }
}
