package tallystick.report.screen;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.analysis.result.Usability;
import tallystick.answer.AnswerStatus;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.scenario.StopRule;

/** What a run comes to. */
public final class RunOutcome {
  /** What others' traffic makes of the ledger, and leave for it covers; nothing else is covered. */
  private static final Set<Code> OF_OTHERS =
      EnumSet.of(Code.FOREIGN_TRAFFIC, Code.LEDGER_DIFFERS, Code.ENGINE_SIDE_ABORTS);

  private static final String LEFT = Outcome.CLIENT_CANCELLED.name().toLowerCase(Locale.ROOT);

  private RunOutcome() {}

  /**
   * The outcome of an analysed run.
   *
   * @param foreignTraffic whether the ledger need not close
   */
  public static AnswerStatus of(RunAnalysis analysis, boolean foreignTraffic) {
    Usability usability = Usability.of(analysis);
    boolean isOfOthers =
        foreignTraffic
            && usability.spoilers().stream().map(Finding::code).allMatch(OF_OTHERS::contains);
    if (!usability.isForVerdicts() && !isOfOthers) {
      return AnswerStatus.NOT_TRUSTED;
    }
    Judgement judged = analysis.judgement();
    if (judged.isMissed() || fails(analysis)) {
      return AnswerStatus.FAILS;
    }
    return judged.isTooClose() && !analysis.objectives().isEmpty()
        ? AnswerStatus.TOO_CLOSE
        : AnswerStatus.GOOD;
  }

  /** How sure its objectives are; empty where they do not decide. */
  static Optional<Strength> strength(RunAnalysis analysis) {
    return Optional.of(analysis.judgement().strength())
        .filter(any -> !analysis.objectives().isEmpty() && !fails(analysis));
  }

  /** A run whose own stop rule held, or whose requests mostly failed, is no good result. */
  private static boolean fails(RunAnalysis analysis) {
    boolean stopped =
        analysis.run().state() == Manifest.Ending.State.STOPPED
            && !StopRule.in(analysis.run().stateDetail()).equals(Optional.of(StopRule.DURATION));
    RunAnalysis.Counts counts = analysis.counts();
    // Whom the plan lets go is no failure.
    long left = counts.byOutcome().getOrDefault(LEFT, 0L);
    return stopped || 2 * counts.ok() < counts.ended() - left;
  }
}
