package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Strength;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.RegressionJudge;

class ConfirmationTest {
  private static List<ComparedRun> runs(double ttft, List<ComparedRun.Doubt> doubts) {
    return LongStream.rangeClosed(1, 5)
        .mapToObj(seed -> MadeRuns.run(seed, ttft + seed / 1000.0, Map.of(), doubts))
        .toList();
  }

  @Test
  void aCellUnderWhichRequestsPileUpIsNotRecommended() {
    ComparedRun.Doubt doubt = new ComparedRun.Doubt(ComparedRun.OVERLOADED, "requests piled up");

    Confirmation confirmation =
        Confirmation.of(
            new Configuration(1, Map.of("max_num_seqs", "8")),
            RegressionJudge.Runs.recorded(runs(0.5, List.of()), runs(0.4, List.of(doubt))),
            NonInferiorityMargins.usual(), 0.9);

    assertThat(confirmation.isBetter()).isFalse();
    assertThat(confirmation.objections()).contains("requests pile up in 5 of 5 of its runs");
  }

  /** Nothing forbids to compare it any more: that it lost all is the verdict. */
  @Test
  void aCellThatFailsEveryFreshRequestIsNotRecommended() {
    Confirmation confirmation =
        confirmed(of(1, 500), of(1, 500).stream().map(MadeRuns::failed).toList());

    assertThat(confirmation.objections())
        .contains(
            "the gain is below 3 % in fresh pairs",
            "it is not sure to hold the objectives: 0 % good of 2500 fresh requests");
  }

  /** All of 5 x 20 requests were good: of those that keep 99 % one comparison in three is so. */
  @Test
  void aShareOfFewRequestsIsNotSure() {
    List<ComparedRun> few = of(1, 20);

    assertThat(confirmed(of(0.9, 20), few).strength()).isEqualTo(Strength.LIKELY);
    assertThat(confirmed(of(0.9, 20), of(1, 10)).objections())
        .contains("it is not sure to hold the objectives: 100 % good of 50 fresh requests");
    assertThat(confirmed(of(0.9, 500), of(1, 500)).strength()).isEqualTo(Strength.SURE);
  }

  /** 29 of 30 in each of five runs: settings that keep 99 % do that, so they guard their tails. */
  @Test
  void equalSharesOfFewRequestsDoNotProveThatTodaysSettingsFail() {
    assertThat(confirmed(of(29 / 30.0, 6), of(1, 500)).baseFails()).isFalse();
    assertThat(confirmed(of(29 / 30.0, 500), of(1, 500)).baseFails()).isTrue();
  }

  private static Confirmation confirmed(List<ComparedRun> base, List<ComparedRun> candidate) {
    return Confirmation.of(
        new Configuration(1, Map.of("max_num_seqs", "8")),
        RegressionJudge.Runs.recorded(base, candidate), NonInferiorityMargins.usual(), 0.99);
  }

  private static List<ComparedRun> of(double goodShare, long requests) {
    return LongStream.rangeClosed(1, 5)
        .mapToObj(seed -> MadeRuns.run(seed, 0.5 + goodShare / 1000, Map.of(), List.of()))
        .map(run -> MadeRuns.good(run, goodShare, requests))
        .toList();
  }
}
