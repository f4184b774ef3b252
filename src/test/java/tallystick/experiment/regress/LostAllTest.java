package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

/** A candidate that has nothing at all of what the base has plenty of. */
class LostAllTest {
  private static final List<ComparedRun> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);

  private static Regression judge(List<ComparedRun> base, List<ComparedRun> candidate) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(base, candidate),
        NonInferiorityMargins.usual(),
        Optional.empty());
  }

  private static List<String> keys(Regression regression) {
    return regression.unlike().stream().map(Regression.Unlike::key).toList();
  }

  /** It had been refused as a run that cannot be compared: a release that answers 500 to all. */
  @Test
  void aCandidateThatFailsEveryRequestRegresses() {
    Regression regression =
        judge(BASE, MadeRuns.of(0.5, 0.5, 0.5, 0.5, 0.5).stream().map(MadeRuns::failed).toList());

    assertThat(regression.verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(regression.metrics())
        .filteredOn(one -> one.verdict() == Verdict.REGRESSED)
        .extracting(Judged::metric)
        .containsExactly(ComparedMetric.COMPLETED, ComparedMetric.GOOD_SHARE);
    assertThat(regression.metrics())
        .filteredOn(one -> one.metric().isOfSpeed())
        .allMatch(one -> one.verdict() == Verdict.TOO_CLOSE);
  }

  /** What fails on both sides, or at the base, is no release's fault. */
  @Test
  void wholeFailuresOfTheBaseForbidToCompare() {
    List<ComparedRun> failed = BASE.stream().map(MadeRuns::failed).toList();

    assertThat(keys(judge(failed, BASE))).contains(ComparedRun.NOTHING_DONE);
    assertThat(keys(judge(failed, failed))).contains(ComparedRun.NOTHING_DONE);
  }

  @Test
  void aCandidateThatFailsInOneRunOfFiveIsJudgedAndTooClose() {
    List<ComparedRun> one = new ArrayList<>(MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502));
    one.set(2, MadeRuns.failed(one.get(2)));

    assertThat(judge(BASE, one).verdict()).isEqualTo(Verdict.TOO_CLOSE);
  }

  /** Three good requests of the base beside none may be chance. */
  @Test
  void goodRequestsThatAreLostRegressIfTheBaseHadPlenty() {
    List<ComparedRun> none =
        MadeRuns.of(0.51, 0.53, 0.50, 0.52, 0.51).stream().map(LostAllTest::withoutGood).toList();

    Regression regression = judge(BASE, none);

    assertThat(regression.verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(judge(goodOf(0.001), none).verdict()).isEqualTo(Verdict.PASSED);
  }

  private static List<ComparedRun> goodOf(double share) {
    return BASE.stream().map(run -> MadeRuns.good(run, share, 500)).toList();
  }

  private static ComparedRun withoutGood(ComparedRun run) {
    Map<ComparedMetric, Double> metrics = new EnumMap<>(run.metrics());
    metrics.remove(ComparedMetric.GOODPUT);
    metrics.remove(ComparedMetric.GOOD_SHARE);
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics,
        Map.of(ComparedMetric.GOOD_SHARE, ComparedRun.ZERO),
        run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(),
        run.doubts());
  }

  /** A release that mends failures carries more; it had been refused for its slower tails. */
  @Test
  void whatIsSlowerBesideABaseThatFailedRequestsIsNotProven() {
    List<ComparedRun> slower = MadeRuns.of(0.55, 0.575, 0.54, 0.56, 0.551);
    List<ComparedRun> half = BASE.stream().map(run -> completed(run, 0.5)).toList();

    Regression regression = judge(half, slower);

    assertThat(judge(BASE, slower).verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(regression.verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(regression.metrics().getFirst().carriesMore()).isTrue();
    assertThat(regression.metrics().getFirst().needed()).isZero();
    assertThat(judge(half, BASE).verdict()).isEqualTo(Verdict.PASSED);
    List<ComparedRun> nearlyAll = BASE.stream().map(run -> completed(run, 0.97)).toList();
    assertThat(judge(nearlyAll, slower).verdict()).isEqualTo(Verdict.REGRESSED);
  }

  private static ComparedRun completed(ComparedRun run, double share) {
    Map<ComparedMetric, Double> metrics = new EnumMap<>(run.metrics());
    metrics.put(ComparedMetric.COMPLETED, share);
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics, run.missing(),
        run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(),
        run.doubts());
  }
}
