package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;

import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.SmallRun;
import tallystick.analysis.result.Finding;
import tallystick.runrecord.Outcome;

/** Where an answer may not end by itself, its length is the one that was asked for. */
class AnswerLengthsTest {
  @Test
  void answersOfOtherLengthsAreCountedBesideWhatWasAsked() {
    MadeRun run =
        SmallRun.run(20, 0.001, one -> one.planned(10, 16).usage(10, 8).tokens(2, 2, 2, 2));
    Finding found = finding(run.analyze(), "answer_lengths");
    assertThat(found.severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(found.text())
        .isEqualTo(
            "20 of 20 answers are not as long as requested: 8.0 tokens on average instead of"
                + " 16.0.");
    assertThat(found.evidence().toString()).contains("by -8 to -8");
  }

  @Test
  void oneAnswerThatLacksATokenIsToldInTokensAndInTheSingular() {
    int[] made = {0};
    MadeRun run =
        SmallRun.run(
            40, 0.001,
            one -> one.planned(10, made[0]++ == 3 ? 5 : 4).usage(10, 4).tokens(1, 1, 1, 1));
    assertThat(finding(run.analyze(), "answer_lengths").text())
        .isEqualTo(
            "1 of 40 answers is not as long as requested: 160 tokens in all instead of 161.");
  }

  @Test
  void nothingIsSaidOfExactAnswersNorWhereAnAnswerMayEnd() {
    assertThat(codes(SmallRun.run(20, 0.001, one -> one).analyze()))
        .doesNotContain("answer_lengths");
    MadeRun free = SmallRun.run(20, 0.001, one -> one.planned(10, 16));
    free.ignoreEos = false;
    assertThat(codes(free.analyze())).doesNotContain("answer_lengths");
  }

  @Test
  void whatWasCutOrIsNotCountedHasNoLength() {
    for (Outcome outcome :
        new Outcome[] {
          Outcome.CLIENT_CANCELLED, Outcome.CUT_MID_STREAM, Outcome.TIMED_OUT,
          Outcome.DONE_MISSING
        }) {
      MadeRun cut =
          SmallRun.run(20, 0.001, one -> one.planned(10, 16).outcome(outcome, 200));
      assertThat(codes(cut.analyze())).as(outcome.name()).doesNotContain("answer_lengths");
    }
    MadeRun untold = SmallRun.run(20, 0.001, one -> one.planned(10, 16).usage(-1, -1));
    assertThat(codes(untold.analyze())).doesNotContain("answer_lengths");
  }
}
