package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.plan.Phase;
import tallystick.runrecord.MemoryRun;

/** Without a window nothing is said of windows: the reason lies in the steps. */
class NoWindowTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void stepsThatAreLeftOutWhollyAreNamed() {
    UnmetRequirement shortfall = NoWindow.of(runs(10, 55), 60_000, 60_000).orElseThrow();
    assertThat(shortfall.need()).isEqualTo(Requirement.LONG_STEPS);
    assertThat(shortfall.sentence())
        .isEqualTo(
            "0 windows: the longest step lasts 55s, need >= 2m, 1m left out at its beginning and"
                + " a window of 1m");
    assertThat(NoWindow.of(runs(10, 120), 60_000, 60_000)).isEmpty();
  }

  @Test
  void aRunWithoutAStepOfOneRateSaysSo() {
    UnmetRequirement shortfall = NoWindow.of(runs(0, 600), 60_000, 60_000).orElseThrow();
    assertThat(shortfall.need()).isEqualTo(Requirement.STEPS);
    assertThat(shortfall.sentence()).startsWith("0 steps in 1 run, need >= 1");
  }

  private static List<DerivationRun> runs(double rate, int seconds) {
    MemoryRun run = new MemoryRun();
    run.phases.clear();
    run.phases.add(new Phase("warm-up", true, 0, 900 * SECOND, 10));
    run.phases.add(new Phase("main", false, 0, seconds * SECOND, rate));
    return List.of(DerivationRun.of(run, true));
  }
}
