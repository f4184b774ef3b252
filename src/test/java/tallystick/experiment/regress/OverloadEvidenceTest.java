package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.Regression.Verdict;

class OverloadEvidenceTest {
  private static final List<RunFigures> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);

  /** Runs of which the first so many are overloaded, ten times as slow as the base's. */
  private static List<RunFigures> piled(int piled, int of) {
    RunFigures.Doubt doubt = new RunFigures.Doubt(RunFigures.OVERLOADED, "requests piled up");
    return IntStream.rangeClosed(1, of)
        .mapToObj(
            i ->
                MadeRuns.run(
                    i, (i <= piled ? 5 : 0.5) + i / 1000.0 + piled / 100.0, Map.of(),
                    i <= piled ? List.of(doubt) : List.of()))
        .toList();
  }

  private static Regression judge(List<RunFigures> base, List<RunFigures> candidate) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(base, candidate),
        NonInferiorityMargins.usual(),
        Optional.empty());
  }

  private static List<String> keys(Regression regression) {
    return regression.unlike().stream().map(Regression.Unlike::key).toList();
  }

  @Test
  void oneBurstIsNoOverloadButMostRunsAre() {
    assertThat(keys(judge(BASE, piled(1, 5)))).isEmpty();
    assertThat(keys(judge(piled(5, 5), piled(0, 5)))).containsExactly("overloaded");
    assertThat(keys(judge(piled(4, 5), piled(5, 5)))).containsExactly("overloaded");
  }

  /** Ten runs are dealt to two sides in 252 ways; in one all five that pile up are here. */
  @Test
  void aCandidateThatAloneDrownsRegresses() {
    Regression regression = judge(BASE, piled(5, 5));

    assertThat(regression.verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(regression.isDrowned()).isTrue();
    assertThat(regression.pileUp())
        .isEqualTo(new OverloadEvidence(0, 5, regression.pileUp().chance(), true));
    assertThat(regression.pileUp().chance()).isCloseTo(1.0 / 252, within(1e-9));
    assertThat(regression.unlike()).isEmpty();
    assertThat(regression.metrics())
        .hasSize(6)
        .allMatch(one -> one.verdict() == Verdict.NOT_PROVEN && one.base() == 0)
        .allMatch(one -> one.remark().contains("pile up"));
  }

  @Test
  void sidesThatChancePartsSoAreRefusedAsBefore() {
    assertThat(judge(piled(1, 5), piled(5, 5)).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judge(piled(1, 5), piled(5, 5)).pileUp().chance())
        .isCloseTo(6.0 / 252, within(1e-9));
    assertThat(judge(piled(0, 4), piled(4, 4)).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judge(piled(0, 3), piled(3, 3)).pileUp().needed(3, 3)).isEqualTo(5);
    assertThat(judge(piled(4, 5), piled(5, 5)).pileUp().needed(5, 5)).isZero();
    assertThat(judge(piled(5, 5), piled(0, 5)).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judge(piled(0, 40), piled(2, 2)).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judge(piled(10, 20), piled(20, 20)).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judge(piled(0, 20), piled(14, 20)).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void whatElseIsUnlikeIsRefusedHoweverTheCandidateDrowns() {
    List<RunFigures> elsewhere =
        piled(5, 5).stream()
            .map(
                run -> MadeRuns.run(run.seed(), 9, Map.of("machine", "another"), run.doubts()))
            .toList();
    Regression regression = judge(BASE, elsewhere);

    assertThat(regression.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(regression.isDrowned()).isFalse();
    assertThat(keys(regression)).contains("machine");
  }

  /**
   * Equal engines whose runs pile up with any one probability: to be called regressed by either
   * question stays below the level, as long as the figures of runs alone keep it.
   */
  @Test
  void bothQuestionsTogetherKeepTheLevel() {
    for (int runs : new int[] {3, 5, 6, 9, 10, 15, 20, 30}) {
      for (int percent = 4; percent < 100; percent += 4) {
        BinomialDistribution side = new BinomialDistribution(null, runs, percent / 100.0);
        double called = 0;
        for (int base = 0; 2 * base < runs; base++) {
          for (int candidate = 0; candidate <= runs; candidate++) {
            double comparedCalls = 2 * candidate < runs ? RegressionJudge.LEVEL : 0;
            double chance = OverloadEvidence.chance(base, runs, candidate, runs);
            boolean isDecided =
                OverloadEvidence.decides(base, runs, candidate, runs, chance);
            called +=
                side.probability(base) * side.probability(candidate)
                    * (isDecided ? 1 : comparedCalls);
          }
        }
        assertThat(called)
            .as(runs + " runs, of which " + percent + " % pile up")
            .isLessThanOrEqualTo(RegressionJudge.LEVEL + 1e-9);
      }
    }
  }
}
