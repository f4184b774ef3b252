package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

class RegressionJudgeTest {
  private static final List<RunFigures> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);

  private static Regression judge(List<RunFigures> candidate) {
    return judge(BASE, candidate, Optional.empty());
  }

  private static Regression judge(
      List<RunFigures> base, List<RunFigures> candidate, Optional<Noise> noise) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(base, candidate), Margins.usual(), noise);
  }

  private static List<String> keys(Regression regression) {
    return regression.unlike().stream().map(Regression.Unlike::key).toList();
  }

  @Test
  void aCandidateThatIsNoWorsePasses() {
    Regression regression = judge(MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502));

    assertThat(regression.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(regression.metrics()).hasSize(6).allMatch(one -> one.verdict() == Verdict.PASSED);
    assertThat(regression.design().paired()).isTrue();
  }

  @Test
  void aSlowerCandidateRegressesAndTheSlowPartIsNamed() {
    Regression regression = judge(MadeRuns.of(0.55, 0.575, 0.54, 0.56, 0.551));

    assertThat(regression.verdict()).isEqualTo(Verdict.REGRESSED);
    Judged ttft = regression.metrics().getFirst();
    assertThat(ttft.metric()).isEqualTo(ComparedMetric.TTFT_P95);
    assertThat(ttft.effect().value()).isCloseTo(0.10, within(0.01));
    assertThat(regression.changes().getFirst().parts().getFirst().grew()).isTrue();
  }

  @Test
  void noisyRunsProveNothingAndSayHowManyWould() {
    Regression regression = judge(MadeRuns.of(0.55, 0.45, 0.56, 0.44, 0.52));

    assertThat(regression.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(regression.metrics().getFirst().needed()).isGreaterThan(5);
    assertThat(regression.metrics().getFirst().couldSee()).isGreaterThan(0.05);
  }

  @Test
  void aMetricThatEqualRunsHideDoesNotStandInTheWay() {
    List<RunFigures> noisy = MadeRuns.of(0.55, 0.45, 0.56, 0.44, 0.52);
    Noise noise =
        new Noise(
            1, "2026-01-01", "made", Map.of(), 10,
            Map.of(
                ComparedMetric.TTFT_P95, 0.2, ComparedMetric.TPOT_MEAN, 0.2,
                ComparedMetric.ITL_P99, 0.2, ComparedMetric.E2E_P95, 0.2));

    Regression regression = judge(BASE, noisy, Optional.of(noise));

    assertThat(regression.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(regression.metrics())
        .filteredOn(one -> !one.gates())
        .hasSize(4)
        .allMatch(one -> one.verdict() == Verdict.NOT_PROVEN);
  }

  @Test
  void whereNoMetricCanBeSeenNothingPasses() {
    Margins one = new Margins(Map.of(ComparedMetric.TTFT_P95, 0.05));
    Noise noise =
        new Noise(1, "2026-01-01", "made", Map.of(), 10, Map.of(ComparedMetric.TTFT_P95, 0.2));

    Regression regression =
        RegressionJudge.judge(
            RegressionJudge.Runs.recorded(BASE, MadeRuns.of(0.55, 0.45, 0.56, 0.44, 0.52)), one,
            Optional.of(noise));

    assertThat(regression.verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void oneRunAgainstOneHasNoVerdict() {
    Regression regression = judge(MadeRuns.of(0.5), MadeRuns.of(0.9), Optional.empty());

    assertThat(regression.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(regression.metrics()).isEmpty();
  }

  @Test
  void unlikeRunsAreRefusedAndTheKeysNamed() {
    List<RunFigures> other =
        BASE.stream()
            .map(
                run ->
                    MadeRuns.run(
                        run.seed(), 0.5, Map.of("machine", "another"),
                        List.of(new RunFigures.Doubt("saturated", "the client was late"))))
            .toList();

    Regression regression = judge(other);

    assertThat(regression.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(keys(regression)).containsExactlyInAnyOrder("machine", "saturated");
    assertThat(regression.metrics()).isEmpty();
  }

  @Test
  void oneBurstIsNoOverloadButMostRunsAre() {
    RunFigures.Doubt doubt = new RunFigures.Doubt(RunFigures.OVERLOADED, "requests piled up");
    List<RunFigures> one =
        BASE.stream()
            .map(
                run ->
                    MadeRuns.run(
                        run.seed(), 0.5, Map.of(), run.seed() == 1 ? List.of(doubt) : List.of()))
            .toList();
    List<RunFigures> most =
        BASE.stream()
            .map(run -> MadeRuns.run(run.seed(), 0.5, Map.of(), List.of(doubt)))
            .toList();

    assertThat(keys(judge(one))).isEmpty();
    assertThat(keys(judge(most))).containsExactly("overloaded");
  }

  @Test
  void anotherRateIsRefused() {
    List<RunFigures> faster =
        BASE.stream()
            .map(
                run ->
                    new RunFigures(
                        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(),
                        run.missing(), run.ttft(), run.e2e(),
                        new RunFigures.Load(
                            false, 500, 10.2, 100, 50, 25, run.load().schedule()),
                        run.likeness(), run.settings(), run.engine(), run.doubts()))
            .toList();

    assertThat(keys(judge(faster))).containsExactly("offered rate");
  }

  @Test
  void runsOfOtherSeedsAreNotPaired() {
    List<RunFigures> others =
        BASE.stream().map(run -> MadeRuns.run(run.seed() + 10, 0.5, Map.of(), List.of())).toList();

    Regression regression = judge(others);

    assertThat(regression.design().paired()).isFalse();
    assertThat(regression.unlike()).isEmpty();
  }

  @Test
  void aMetricThatARunDoesNotCarryIsNotProven() {
    Regression regression =
        RegressionJudge.judge(
            RegressionJudge.Runs.recorded(BASE, lacking()),
            new Margins(Map.of(ComparedMetric.TTFT_P99, 0.05)), Optional.empty());

    assertThat(regression.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(regression.metrics().getFirst().remark()).contains("n=40, need 368");
  }

  private static List<RunFigures> lacking() {
    return BASE.stream()
        .map(
            run -> {
              Map<ComparedMetric, Double> less = new EnumMap<>(run.metrics());
              less.remove(ComparedMetric.TTFT_P99);
              return new RunFigures(
                  run.runId(), run.scenario(), run.startedUtc(), run.seed(), less,
                  Map.of(ComparedMetric.TTFT_P99, "n=40, need 368"), run.ttft(), run.e2e(),
                  run.load(), run.likeness(), run.settings(), run.engine(), run.doubts());
            })
        .toList();
  }

  @Test
  void marginsAreReadAsPeopleWriteThem() {
    Margins margins = Margins.of(List.of("ttft_p95=10%", "ITL-p95: 0.2"));

    assertThat(margins.byMetric())
        .containsEntry(ComparedMetric.TTFT_P95, 0.1)
        .containsEntry(ComparedMetric.ITL_P95, 0.2)
        .containsEntry(ComparedMetric.TPOT_MEAN, 0.05);
    assertThatThrownBy(() -> Margins.of(List.of("ttft=10%"))).hasMessageContaining("ttft_p95");
    assertThatThrownBy(() -> Margins.lines("m.yaml", "# ours\nttft_p95: 5%\ntpot_mean: fast\n"))
        .hasMessageContaining("m.yaml:3");
  }
}
