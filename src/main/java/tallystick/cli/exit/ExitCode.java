package tallystick.cli.exit;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Outcome;
import tallystick.runrecord.Manifest;
import tallystick.scenario.StopRule;

/** What the process tells its caller. */
public enum ExitCode {
  /** Done and good. */
  GOOD(0),
  /** A result that fails: an objective is violated. */
  RESULT_FAILS(1),
  /** The user's mistake. */
  USER_MISTAKE(2),
  /** The world's failure: target down, disk full. */
  WORLD_FAILED(3),
  /** The measurement cannot be trusted. */
  NOT_TRUSTED(4),
  /** The data cannot decide; more would. */
  NOT_PROVEN(5),
  /** Our bug. */
  BUG(70),
  /** Somebody pressed Ctrl-C. */
  INTERRUPTED(130);

  /** What others' traffic makes of the ledger, and leave for it covers; nothing else is covered. */
  private static final Set<Code> OF_OTHERS =
      EnumSet.of(Code.FOREIGN_TRAFFIC, Code.LEDGER_DIFFERS, Code.ENGINE_SIDE_ABORTS);

  /** No crash gives it: 1 is also what Java ends with when it cannot start. */
  private static final int FAILS_INSIDE = 11;

  private final int number;

  /**
   * What the user said need not be so for a good result.
   *
   * @param foreignTraffic the ledger need not close
   * @param unproven an objective need not be proven
   */
  public record Allowed(boolean foreignTraffic, boolean unproven) {}

  ExitCode(int number) {
    this.number = number;
  }

  /** The code of an answer. */
  public static ExitCode of(Outcome outcome) {
    return switch (outcome) {
      case GOOD -> GOOD;
      case FAILS -> RESULT_FAILS;
      case MISTAKE -> USER_MISTAKE;
      case NOT_TRUSTED -> NOT_TRUSTED;
      case NOT_PROVEN -> NOT_PROVEN;
    };
  }

  /** What the process ends with. */
  public int number() {
    return number;
  }

  /**
   * What Java leaves with.
   *
   * @param isWaitedFor whether the script {@code tally} waits for it, which turns it into the code
   *     that was given
   */
  public static int leaving(int code, boolean isWaitedFor) {
    return isWaitedFor && code == RESULT_FAILS.number ? FAILS_INSIDE : code;
  }

  /**
   * The code of an analysed run.
   *
   * @param allowed what the user said need not be so
   */
  public static ExitCode of(RunAnalysis analysis, Allowed allowed) {
    Usability usability = Usability.of(analysis);
    boolean isOfOthers =
        allowed.foreignTraffic()
            && usability.spoilers().stream().map(Finding::code).allMatch(OF_OTHERS::contains);
    if (!usability.isForVerdicts() && !isOfOthers) {
      return NOT_TRUSTED;
    }
    if (has(analysis, ObjectiveResult.Verdict.VIOLATED) || fails(analysis)) {
      return RESULT_FAILS;
    }
    boolean isOpen = has(analysis, ObjectiveResult.Verdict.NOT_PROVEN);
    return isOpen && !allowed.unproven() ? NOT_PROVEN : GOOD;
  }

  private static boolean has(RunAnalysis analysis, ObjectiveResult.Verdict verdict) {
    return analysis.objectives().stream().anyMatch(result -> result.verdict() == verdict);
  }

  /** A run whose own stop rule held, or whose requests mostly failed, is no good result. */
  private static boolean fails(RunAnalysis analysis) {
    boolean stopped =
        analysis.run().state() == Manifest.Ending.State.STOPPED
            && !StopRule.in(analysis.run().stateDetail()).equals(Optional.of(StopRule.DURATION));
    return stopped || 2 * analysis.counts().ok() < analysis.counts().ended();
  }
}
