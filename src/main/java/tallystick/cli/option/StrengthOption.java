package tallystick.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;

/** How sure an answer must be, so that its exit code says more than "too close to call". */
public final class StrengthOption {
  private static final String REQUIRE = "--require";
  private static final String ACCEPT = "--accept-unproven";

  @Option(
      names = REQUIRE,
      paramLabel = "STRENGTH",
      defaultValue = "likely",
      description =
          "sure: a merely likely answer ends with 5 too (${DEFAULT-VALUE})")
  private Least required;

  @Option(names = ACCEPT, description = "end with 0 if the answer is too close to call")
  private boolean isAccepted;

  /** The weakest answers that a user takes; lower case because users write them. */
  enum Least {
    sure(Strength.SURE),
    likely(Strength.LIKELY);

    private final Strength strength;

    Least(Strength strength) {
      this.strength = strength;
    }
  }

  /** Refuses a command that asks for both: what is likely missed would end with 0. */
  public static void check(CommandLine line) {
    ParseResult typed = line.getParseResult();
    if (typed.hasMatchedOption(ACCEPT)
        && typed.matchedOptionValue(REQUIRE, Least.likely) == Least.sure) {
      throw new ParameterException(
          line,
          "--require sure and --accept-unproven contradict each other: the first makes 5 of a"
              + " likely miss, the second makes 0 of every 5; leave one out");
    }
  }

  /** What an answer comes to for who requires so much. */
  public AnswerStatus outcome(Answer answer) {
    boolean isDecided =
        answer.outcome() == AnswerStatus.GOOD || answer.outcome() == AnswerStatus.FAILS;
    boolean isTooWeak =
        isDecided
            && answer.strength().filter(one -> one.compareTo(required.strength) > 0).isPresent();
    AnswerStatus outcome = isTooWeak ? AnswerStatus.TOO_CLOSE : answer.outcome();
    return outcome == AnswerStatus.TOO_CLOSE && isAccepted ? AnswerStatus.GOOD : outcome;
  }
}
