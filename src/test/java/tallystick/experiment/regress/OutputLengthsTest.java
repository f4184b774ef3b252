package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.Regression.Unlike;
import tallystick.experiment.regress.Regression.Verdict;

class OutputLengthsTest {
  private static final List<ComparedRun> BASE = MadeRuns.of(0.50, 0.51, 0.49, 0.50, 0.52);
  private static final List<ComparedRun> CANDIDATE = MadeRuns.of(0.51, 0.50, 0.50, 0.51, 0.50);

  private static Regression judged(List<ComparedRun> base, List<ComparedRun> candidate) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(base, candidate),
        NonInferiorityMargins.usual(),
        Optional.empty());
  }

  private static List<ComparedRun> answering(double share, double scatter, List<ComparedRun> runs) {
    return runs.stream()
        .map(
            run ->
                MadeRuns.with(
                    run,
                    new ComparedRun.Load(
                        false, 500, 10, 10, 100, 50, 25, run.load().schedule(),
                        new ComparedRun.Shape(40, 1, scatter))))
        .map(
            run ->
                new ComparedRun(
                    run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(),
                    run.missing(), run.ttft(), run.e2e(), run.load(), run.likeness(),
                    run.settings(), Map.of(ComparedRun.OF_ALLOWED, share), run.doubts()))
        .toList();
  }

  @Test
  void answersThatCameOutShorterAreNotCompared() {
    List<ComparedRun> base = answering(0.97, Double.NaN, BASE);
    List<ComparedRun> same = answering(0.98, Double.NaN, CANDIDATE);
    List<ComparedRun> shorter = answering(0.41, Double.NaN, CANDIDATE);

    assertThat(judged(base, same).unlike()).isEmpty();
    assertThat(judged(base, shorter).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judged(base, shorter).unlike().getFirst().text())
        .isEqualTo("answers came out at 97.0 % of max_tokens, the candidate's at 41.0 %");
  }

  /** Before, all were taken to scatter by their mean: 2,500 answers might be 8 % shorter. */
  @Test
  void answersThatHardlyScatterMayHardlyDiffer() {
    List<ComparedRun> whole = answering(1, 0, BASE);

    assertThat(judged(whole, answering(0.995, 0, CANDIDATE)).unlike()).isEmpty();
    assertThat(judged(whole, answering(0.97, 0.1, CANDIDATE)).unlike())
        .extracting(Unlike::key)
        .containsExactly("answers");
    assertThat(judged(whole, answering(0.97, Double.NaN, CANDIDATE)).unlike()).isEmpty();
    assertThat(judged(answering(0.5, 0.6, BASE), answering(0.53, 0.6, CANDIDATE)).unlike())
        .isEmpty();
  }

  @Test
  void whatScattersIsTheShareAndNotTheLengthThatWasAsked() {
    OutputLengths whole = new OutputLengths();
    OutputLengths cut = new OutputLengths();
    for (int i = 1; i <= 100; i++) {
      whole.add(i, i);
      cut.add(i % 2 == 0 ? 50 : 100, 100);
    }

    assertThat(whole.share()).isEqualTo(1);
    assertThat(whole.scatter()).isCloseTo(0, within(1e-9));
    assertThat(cut.share()).isEqualTo(0.75);
    assertThat(cut.scatter()).isCloseTo(0.25, within(1e-9));
    assertThat(new OutputLengths().scatter()).isNaN();
  }
}
