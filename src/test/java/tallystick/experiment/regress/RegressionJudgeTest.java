package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.WaitPart;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

class RegressionJudgeTest {
  private static final List<ComparedRun> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);
  private static final List<ComparedRun> NOISY = MadeRuns.of(0.75, 0.35, 0.80, 0.38, 0.62);

  private static Regression judge(List<ComparedRun> candidate) {
    return judge(BASE, candidate, Optional.empty());
  }

  private static Regression judge(
      List<ComparedRun> base, List<ComparedRun> candidate, Optional<BaselineVariance> noise) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(base, candidate), NonInferiorityMargins.usual(), noise);
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

  /** Parts are differences: of equal ones floating point leaves a little, each time the same. */
  @Test
  void whatRoundingLeavesOfAPartIsNoRise() {
    List<ComparedRun> base = MadeRuns.of(0.50, 0.52, 0.49);
    List<ComparedRun> candidate = MadeRuns.of(0.55, 0.575, 0.54);
    base.forEach(run -> run.ttft().put(WaitPart.OUTSIDE, 0.0002));
    candidate.forEach(run -> run.ttft().put(WaitPart.OUTSIDE, Math.nextUp(0.0002)));

    Change.Part outside =
        judge(base, candidate, Optional.empty()).changes().getFirst().parts().stream()
            .filter(part -> part.name() == WaitPart.OUTSIDE)
            .findFirst()
            .orElseThrow();

    assertThat(outside.grew()).isFalse();
    assertThat(outside.rise().high().orNaN()).isZero();
  }

  private static ComparedRun figured(ComparedRun run, Map<ComparedMetric, Double> figures) {
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), figures, Map.of(), run.ttft(),
        run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(), run.doubts());
  }

  @Test
  void noisyRunsProveNothingAndSayHowManyWould() {
    Regression regression = judge(MadeRuns.of(0.75, 0.35, 0.80, 0.38, 0.62));

    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(regression.metrics().getFirst().needed()).isGreaterThan(5);
    assertThat(regression.metrics().getFirst().couldSee()).isGreaterThan(0.05);
  }

  private static BaselineVariance noise(ComparedMetric... hidden) {
    Map<ComparedMetric, Double> spread = new EnumMap<>(ComparedMetric.class);
    List.of(hidden).forEach(metric -> spread.put(metric, 0.2));
    return new BaselineVariance(1, "2026-01-01", "made", Map.of(), 10, spread);
  }

  @Test
  void aMetricThatEqualRunsHideDoesNotStandInTheWay() {
    List<ComparedRun> steady = MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502);
    List<ComparedRun> candidate =
        IntStream.range(0, 5).mapToObj(i -> withTtft(steady.get(i), NOISY.get(i))).toList();

    Regression regression = judge(BASE, candidate, Optional.of(noise(ComparedMetric.TTFT_P95)));

    assertThat(regression.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(regression.metrics())
        .filteredOn(one -> !one.gates())
        .singleElement()
        .matches(one -> one.verdict() == Verdict.TOO_CLOSE);
  }

  private static ComparedRun withTtft(ComparedRun run, ComparedRun other) {
    Map<ComparedMetric, Double> figures = new EnumMap<>(run.metrics());
    figures.put(ComparedMetric.TTFT_P95, other.metrics().get(ComparedMetric.TTFT_P95));
    return figured(run, figures);
  }

  /** Of candidates half as slow again, which lost nothing, more than half passed. */
  @Test
  void thatNothingWasLostIsNoPassWhereNoTimeCanBeSeen() {
    BaselineVariance blind =
        noise(
            ComparedMetric.TTFT_P95, ComparedMetric.TPOT_MEAN, ComparedMetric.ITL_P99,
            ComparedMetric.E2E_P95);

    Regression regression = judge(BASE, NOISY, Optional.of(blind));

    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(regression.metrics()).filteredOn(Judged::gates)
        .extracting(Judged::metric)
        .containsExactly(ComparedMetric.COMPLETED, ComparedMetric.GOOD_SHARE);
    assertThat(judge(BASE, MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502), Optional.of(blind))
            .verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void whereNoMetricCanBeSeenNothingPasses() {
    NonInferiorityMargins one = new NonInferiorityMargins(Map.of(ComparedMetric.TTFT_P95, 0.05));

    Regression regression =
        RegressionJudge.judge(
            RegressionJudge.Runs.recorded(BASE, NOISY), one,
            Optional.of(noise(ComparedMetric.TTFT_P95)));

    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
  }

  @Test
  void oneRunAgainstOneHasNoVerdict() {
    Regression regression = judge(MadeRuns.of(0.5), MadeRuns.of(0.9), Optional.empty());

    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(regression.metrics()).isEmpty();
  }

  @Test
  void unlikeRunsAreRefusedAndTheKeysNamed() {
    List<ComparedRun> other =
        BASE.stream()
            .map(
                run ->
                    MadeRuns.run(
                        run.seed(), 0.505, Map.of("machine", "another"),
                        List.of(new ComparedRun.Doubt("saturated", "the client was late"))))
            .toList();

    Regression regression = judge(other);

    assertThat(regression.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(keys(regression)).containsExactlyInAnyOrder("machine", "saturated");
    assertThat(regression.metrics()).isEmpty();
  }

  @Test
  void anotherRateIsRefused() {
    List<ComparedRun> faster =
        MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502).stream()
            .map(
                run ->
                    MadeRuns.with(
                        run,
                        new ComparedRun.Load(
                            false, 500, 10.2, 10.2, 100, 50, 25, run.load().schedule(),
                            run.load().shape())))
            .toList();

    assertThat(keys(judge(faster))).containsExactly("offered rate");
  }

  private static List<ComparedRun> others(
      double prompt, double answer, double answerSpread, ComparedRun.Shape shape) {
    return BASE.stream()
        .map(run -> MadeRuns.run(run.seed() + 10, 0.51, Map.of(), List.of()))
        .map(
            run ->
                MadeRuns.with(
                    run,
                    new ComparedRun.Load(
                        false, 500, 10, 10, prompt, answer, answerSpread, "other", shape)))
        .toList();
  }

  @Test
  void aLongerAnswerThanChanceMakesIsAnotherMix() {
    ComparedRun.Shape shape = new ComparedRun.Shape(40, 1);

    // 2,500 requests with a deviation of 25 tokens: chance makes 2.1 tokens.
    assertThat(keys(judge(others(100, 53, 25, shape)))).containsExactly("mix");
    assertThat(keys(judge(others(100, 51, 25, shape)))).isEmpty();
  }

  @Test
  void aClosedLoopWithLongerPromptsIsAnotherMixToo() {
    List<ComparedRun> candidate = MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502);
    Regression same = judge(closed(BASE, 100), closed(candidate, 100), Optional.empty());
    Regression other = judge(closed(BASE, 100), closed(candidate, 130), Optional.empty());

    assertThat(keys(same)).isEmpty();
    assertThat(keys(other)).containsExactly("mix");
  }

  private static List<ComparedRun> closed(List<ComparedRun> runs, double prompt) {
    return runs.stream()
        .map(
            run ->
                MadeRuns.with(
                    run,
                    new ComparedRun.Load(
                        true, 500, 10, 0, prompt, 50, 25, "", run.load().shape())))
        .toList();
  }

  @Test
  void promptsThatScatterWidelyMayDifferByMore() {
    ComparedRun.Shape wide = new ComparedRun.Shape(300, 1);

    assertThat(keys(judge(others(110, 50, 25, new ComparedRun.Shape(40, 1)))))
        .containsExactly("mix");
    assertThat(keys(judge(others(110, 50, 25, wide)))).isEmpty();
  }

  @Test
  void aRateOfBurstsWandersMore() {
    assertThat(keys(judge(offered(10.9, 1), offered(9.9, 1), Optional.empty())))
        .containsExactly("offered rate");
    assertThat(keys(judge(offered(10.9, 2), offered(9.9, 2), Optional.empty()))).isEmpty();
    assertThat(keys(judge(offered(10.2, 0), offered(9.9, 0), Optional.empty())))
        .containsExactly("offered rate");
  }

  private static List<ComparedRun> offered(double rate, double gapVariation) {
    return BASE.stream()
        .map(
            run ->
                MadeRuns.run(
                    Math.round(run.seed() + 100 * rate), rate / 20, Map.of(), List.of()))
        .map(
            run ->
                MadeRuns.with(
                    run,
                    new ComparedRun.Load(
                        false, 500, rate, rate, 100, 50, 25, "",
                        new ComparedRun.Shape(40, gapVariation))))
        .toList();
  }

  @Test
  void burstsAtTheSameRateAreAnotherLoad() {
    assertThat(keys(judge(others(100, 50, 25, new ComparedRun.Shape(40, 1.1))))).isEmpty();
    assertThat(keys(judge(others(100, 50, 25, new ComparedRun.Shape(40, 2)))))
        .containsExactly("arrivals");
    assertThat(keys(judge(others(100, 50, 25, new ComparedRun.Shape(40, 0)))))
        .containsExactly("arrivals");
  }

  @Test
  void aBaselineThatDoesNotTellHowItsLoadScattersIsComparedAsFarAsItTells() {
    assertThat(keys(judge(others(101, 51, 25, null)))).isEmpty();
  }

  @Test
  void oneRunCountsOnceHoweverOftenItIsNamed() {
    ComparedRun one = MadeRuns.run(7, 0.505, Map.of(), List.of());
    ComparedRun other = MadeRuns.run(8, 0.505, Map.of(), List.of());

    assertThat(keys(judge(List.of(one, one, other)))).containsExactly("same run");
    assertThat(keys(judge(BASE))).containsExactly("same run");
    assertThat(keys(judge(List.of(one, other, BASE.get(1))))).containsExactly("same run");
  }

  @Test
  void goodputUnderOtherLimitsIsNotCompared() {
    List<ComparedRun> base = limited(BASE, "ttft 1.0 s");
    List<ComparedRun> candidate = MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502);
    Regression regression = judge(base, limited(candidate, "ttft 0.5 s"), Optional.empty());

    assertThat(regression.unlike()).isEmpty();
    assertThat(regression.metrics())
        .filteredOn(one -> one.metric() == ComparedMetric.GOOD_SHARE)
        .singleElement()
        .matches(one -> one.verdict() == Verdict.TOO_CLOSE)
        .matches(one -> one.remark().contains("0.5 s"));
    assertThat(judge(base, limited(candidate, "ttft 1.0 s"), Optional.empty()).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  private static List<ComparedRun> limited(List<ComparedRun> runs, String limits) {
    return runs.stream()
        .map(
            run ->
                new ComparedRun(
                    run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(),
                    run.missing(), run.ttft(), run.e2e(), run.load(), run.likeness(),
                    Map.of(ComparedRun.LIMITS, limits), run.engine(), run.doubts()))
        .toList();
  }

  @Test
  void runsOfOtherSeedsAreNotPaired() {
    List<ComparedRun> others =
        BASE.stream()
            .map(run -> MadeRuns.run(run.seed() + 10, 0.505, Map.of(), List.of()))
            .toList();

    Regression regression = judge(others);

    assertThat(regression.design().paired()).isFalse();
    assertThat(regression.unlike()).isEmpty();
  }

  @Test
  void aMetricThatARunDoesNotCarryIsNotProven() {
    Regression regression =
        RegressionJudge.judge(
            RegressionJudge.Runs.recorded(BASE, lacking()),
            new NonInferiorityMargins(Map.of(ComparedMetric.TTFT_P99, 0.05)), Optional.empty());

    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(regression.metrics().getFirst().remark()).contains("n=40, need 368");
  }

  private static List<ComparedRun> lacking() {
    return BASE.stream()
        .map(
            run -> {
              Map<ComparedMetric, Double> less = new EnumMap<>(run.metrics());
              less.remove(ComparedMetric.TTFT_P99);
              return new ComparedRun(
                  run.runId(), run.scenario(), run.startedUtc(), run.seed(), less,
                  Map.of(ComparedMetric.TTFT_P99, "n=40, need 368"), run.ttft(), run.e2e(),
                  run.load(), run.likeness(), run.settings(), run.engine(), run.doubts());
            })
        .toList();
  }

  @Test
  void marginsAreReadAsPeopleWriteThem() {
    NonInferiorityMargins margins =
        NonInferiorityMargins.of(List.of("ttft_p95=10%", "ITL-p95: 0.2"));

    assertThat(margins.byMetric())
        .containsEntry(ComparedMetric.TTFT_P95, 0.1)
        .containsEntry(ComparedMetric.ITL_P95, 0.2)
        .containsEntry(ComparedMetric.TPOT_MEAN, 0.05);
    assertThatThrownBy(() -> NonInferiorityMargins.of(List.of("ttft=10%")))
        .hasMessageContaining("ttft_p95");
    assertThatThrownBy(() -> NonInferiorityMargins.of(List.of("ttft_p95=5")))
        .hasMessageContaining("write ttft_p95=5%");
    assertThatThrownBy(
            () -> NonInferiorityMargins.lines("m.yaml", "# ours\nttft_p95: 5%\ntpot_mean: fast\n"))
        .hasMessageContaining("m.yaml:3");
  }
}
