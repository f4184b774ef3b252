package tallystick.cli.option;

import picocli.CommandLine.Option;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;

/** How sure an answer must be, so that its exit code says more than "too close to call". */
public final class StrengthOption {
  @Option(
      names = "--require",
      paramLabel = "STRENGTH",
      defaultValue = "likely",
      description =
          "sure: a merely likely answer ends with 5 too (${DEFAULT-VALUE})")
  private Strength required;

  @Option(names = "--accept-unproven", description = "end with 0 if the answer is too close to"
      + " call")
  private boolean isAccepted;

  /** What an answer comes to for who requires so much. */
  public AnswerStatus outcome(Answer answer) {
    boolean isDecided =
        answer.outcome() == AnswerStatus.GOOD || answer.outcome() == AnswerStatus.FAILS;
    boolean isTooWeak =
        isDecided && answer.strength().filter(one -> one.compareTo(required) > 0).isPresent();
    AnswerStatus outcome = isTooWeak ? AnswerStatus.TOO_CLOSE : answer.outcome();
    return outcome == AnswerStatus.TOO_CLOSE && isAccepted ? AnswerStatus.GOOD : outcome;
  }
}
