package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RehearsedRuns.Mix;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.Spelling;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** Where waits are longer than a window, both sides still mean the same window. */
@Tag("stress")
class PlacementTest {
  private static final long WINDOW_MILLIS = 15_000;
  private static final List<DerivationRun> RUNS = new ArrayList<>();

  @BeforeAll
  static void simulateOnce() {
    for (int seed = 90; seed <= 92; seed++) {
      MemoryRun run = RehearsedRuns.bursts(Mix.EVEN, seed);
      double longest = run.requests.stream().mapToDouble(PlacementTest::waited).max().orElse(0);
      assertThat(longest).isBetween(18.0, 60.0);
      RUNS.add(DerivationRun.of(run, true));
    }
  }

  @Test
  void theShareOfBadRequestsTellsWhatUsersFeltOnRunsLeftOut() {
    assertThat(youden(Objective.Metric.TTFT, 1, 0.99)).isGreaterThanOrEqualTo(0.95);
    assertThat(youden(Objective.Metric.E2E, 10, 0.99)).isGreaterThanOrEqualTo(0.95);
    assertThat(youden(Objective.Metric.E2E, 15, 0.95)).isGreaterThanOrEqualTo(0.95);
  }

  private static double waited(RequestRow row) {
    return (row.firstTokenNanos() - row.times().intended()) / 1e9;
  }

  private static double youden(Objective.Metric metric, double seconds, double share) {
    Objective objective = new Objective(metric, seconds, share, "");
    AlertRequest usual = AlertRequest.usual(objective);
    AlertRequest request =
        new AlertRequest(
            objective, usual.grouping(), usual.runbookUrl(), usual.job(), WINDOW_MILLIS, 0,
            usual.intervalMillis(), usual.seed(), 0, 0, Spelling.RECORDED, "", "");
    double agreement = AlertDerivation.derive(RUNS, request).edge().agreement();
    double youden = 2 * agreement - 1;
    System.out.printf("%s: Youden's J %.3f%n", objective, youden);
    return youden;
  }
}
