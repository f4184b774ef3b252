package tallystick.alerting;

import java.util.List;
import tallystick.analysis.Reconciliation.Verdict;
import tallystick.analysis.RunAnalysis;

/**
 * The monitoring guide's three alerts for one run with one phase. Such a run holds no steps, so it
 * cannot carry a threshold: each alert is refused with the number that is missing.
 */
public final class FirstRules {
  private static final int NEEDED_WINDOWS = 5;
  private static final int NEEDED_STEPS = 2;

  private FirstRules() {}

  /** The three alerts, all refused, in the guide's order. */
  public static List<AlertProposal> refusals(RunAnalysis analysis) {
    return List.of(
        refused(analysis, "VLLMHighTTFT", "time to first token, by cluster and model"),
        refused(analysis, "VLLMQueueTimeHigh", "time in the scheduler's queue"),
        refused(
            analysis,
            "VLLMPreemptionRelatedDegradation",
            "preemptions per finished request together with time to first token"));
  }

  private static AlertProposal refused(RunAnalysis analysis, String name, String watches) {
    Verdict verdict = analysis.reconciliation().verdict();
    return switch (verdict) {
      case RECONCILED, RECONCILED_WITH_TOLERANCE ->
          new AlertProposal.Refused(name, watches, RefusalCode.NO_VIOLATING_WINDOW, tooFew());
      case NOT_RECONCILED, NOT_CHECKED ->
          new AlertProposal.Refused(name, watches, RefusalCode.UNRECONCILED, unreconciled(verdict));
    };
  }

  private static String tooFew() {
    return "0 violated windows from 0 steps, need >= %d from >= %d"
        .formatted(NEEDED_WINDOWS, NEEDED_STEPS);
  }

  private static String unreconciled(Verdict verdict) {
    String state = verdict == Verdict.NOT_CHECKED ? "was not checked" : "failed";
    return "reconciliation " + state + ": 0 of 1 runs reconciled, need 1";
  }
}
