package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.Regression.Verdict;

/** A real vLLM with 64 sequences against one with 8, at 30 requests/s: five pairs of 15 s. */
class OverloadedCandidateTest {
  /** Seed, requests, and of base and candidate: TTFT P95, TPOT, ITL P99, E2E P95, good share. */
  private static final double[][] PAIRS = {
    {1, 447, 0.02500, 0.004531, 0.01217, 0.4678, 1, 5.14197, 0.007432, 0.01943, 5.4640, 0.0738},
    {2, 429, 0.04888, 0.009911, 0.02388, 0.9545, 1, 1.24479, 0.006357, 0.01603, 1.5652, 0.0629},
    {3, 479, 0.04525, 0.009242, 0.02131, 0.8191, 1, 4.19539, 0.007181, 0.01797, 4.5293, 0.0376},
    {4, 424, 0.04269, 0.008210, 0.02347, 0.8313, 1, 1.08273, 0.006303, 0.01608, 1.3525, 0.6250},
    {5, 446, 0.04278, 0.008629, 0.02083, 0.8301, 1, 8.05403, 0.009079, 0.02217, 8.4624, 0.0561}
  };

  static List<ComparedRun> side(int from, int pairs) {
    List<ComparedRun> runs = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      double[] row = PAIRS[i];
      ComparedRun run =
          MadeRuns.good(
              MadeRuns.run((long) row[0], row[from], Map.of(), doubts(from, i)), row[from + 4],
              (long) row[1]);
      Map<ComparedMetric, Double> metrics = new EnumMap<>(run.metrics());
      metrics.put(ComparedMetric.TPOT_MEAN, row[from + 1]);
      metrics.put(ComparedMetric.ITL_P99, row[from + 2]);
      metrics.put(ComparedMetric.E2E_P95, row[from + 3]);
      runs.add(
          new ComparedRun(
              run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics, Map.of(),
              run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(),
              run.doubts()));
    }
    return runs;
  }

  /** One of the candidate's runs did not look overloaded. */
  private static List<ComparedRun.Doubt> doubts(int from, int pair) {
    return from == 2 || pair == 1
        ? List.of()
        : List.of(new ComparedRun.Doubt(ComparedRun.OVERLOADED, "requests piled up in phase main"));
  }

  private static Regression judge(int pairs) {
    return RegressionJudge.judge(
        RegressionJudge.Runs.recorded(side(2, pairs), side(7, pairs)),
        NonInferiorityMargins.usual(), Optional.empty());
  }

  @Test
  void aCandidateThatKeepsTheObjectivesInFewRequestsRegressesAfterThreePairsAndFive() {
    assertThat(judge(3).verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(judge(5).verdict()).isEqualTo(Verdict.REGRESSED);
  }
}
