package tallystick.alerting;

import java.util.List;
import java.util.Optional;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.answer.Tone;

/**
 * The monitoring guide's three alerts for one run. One run, even a stepped one, cannot carry a
 * threshold that transfers: each alert is refused with the number that is missing. {@code tally
 * alerts} derives thresholds from several runs.
 */
public final class FirstRules {
  /** The section of a report that is about alerts. */
  public static final String TITLE = "Alert rules";

  private static final String MISSING =
      "A threshold without evidence is not proposed. What each alert still lacks:";
  private static final String NEXT =
      "Next: run a study whose phases step from healthy to overloaded, on two mixes or more, and"
          + " give its runs to tally alerts.";

  /** One step can be an accident; of two the same is seen twice. */
  private static final int NEEDED_STEPS = 2;

  /** On one mix every resource signal rises with load, whatever it says of another. */
  private static final int NEEDED_MIXES = 2;

  private FirstRules() {}

  /** What is missing for a threshold, as a section of the run's report. */
  public static Section section(RunAnalysis analysis) {
    return Section.of(
        "alerts",
        TITLE,
        new Block.Text(Tone.MUTED, MISSING),
        RefusedAlert.table(refusals(analysis)),
        new Block.Text(Tone.PLAIN, NEXT));
  }

  /** The three alerts, all refused for one reason, in the guide's order. */
  public static List<RefusedAlert> refusals(RunAnalysis analysis) {
    RefusedAlert first = first(analysis);
    return List.of(
        first,
        first.named("VLLMQueueTimeHigh", "time in the scheduler's queue"),
        first.named(
            "VLLMPreemptionRelatedDegradation",
            "preemptions per finished request together with time to first token"));
  }

  private static RefusedAlert first(RunAnalysis analysis) {
    Optional<String> doubt = Usability.of(analysis).reason();
    if (doubt.isPresent()) {
      return first(RefusalCode.UNRECONCILED, "0 of 1 runs can be used: " + doubt.get());
    }
    long steps = analysis.phases().size();
    long violated =
        analysis.phases().stream().filter(phase -> phase.judgement().isMissed()).count();
    long healthy = analysis.phases().stream().filter(phase -> phase.judgement().isMet()).count();
    if (violated < NEEDED_STEPS) {
      return first(RefusalCode.NO_VIOLATING_WINDOW, missing(violated, "violated", steps));
    }
    return healthy < NEEDED_STEPS
        ? first(RefusalCode.NO_HEALTHY_WINDOW, missing(healthy, "healthy", steps))
        : first(
            RefusalCode.NOT_TRANSFERABLE,
            "1 run of 1 mix, need >= %s mixes: tally alerts RUN…".formatted(NEEDED_MIXES));
  }

  private static RefusedAlert first(RefusalCode code, String missing) {
    return new RefusedAlert(
        "VLLMHighTTFT", "time to first token, by cluster and model", code, missing);
  }

  private static String missing(long found, String kind, long steps) {
    return "%s %s of %s steps in this run, need >= %s".formatted(found, kind, steps, NEEDED_STEPS);
  }
}
