package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.TestCase.Result;
import tallystick.answer.Tone;

/** The parts of any answer that a pipeline and a person read: they say the same. */
public final class AgreedAnswer {
  private AgreedAnswer() {}

  /** What the first line, the exit code and JUnit make of an answer. */
  public static void check(Answer answer) {
    Block.Item first =
        answer.blocks().stream()
            .filter(Block.Items.class::isInstance)
            .map(block -> ((Block.Items) block).items().getFirst())
            .findFirst()
            .orElseThrow();
    String of = answer.outcome() + ": " + first.mark() + " " + first.text();
    boolean isGood = first.mark().tone() == Tone.GOOD;
    boolean isBad = first.mark().tone() == Tone.BAD;
    switch (answer.outcome()) {
      case GOOD -> assertThat(isBad).as(of).isFalse();
      case FAILS -> assertThat(isGood).as(of).isFalse();
      default -> assertThat(isGood).as(of).isFalse();
    }
    if (answer.suite().cases().isEmpty()) {
      return;
    }
    String cases = of + " " + answer.suite().cases();
    assertThat(any(answer, Result.FAILURE))
        .as(cases)
        .isEqualTo(answer.outcome() == AnswerStatus.FAILS);
    assertThat(any(answer, Result.ERROR))
        .as(cases)
        .isEqualTo(
            answer.outcome() == AnswerStatus.NOT_TRUSTED
                || answer.outcome() == AnswerStatus.WORLD_FAILED);
    if (answer.outcome() == AnswerStatus.TOO_CLOSE) {
      assertThat(any(answer, Result.SKIPPED)).as(cases).isTrue();
    }
  }

  private static boolean any(Answer answer, Result result) {
    return answer.suite().cases().stream().anyMatch(one -> one.result() == result);
  }
}
