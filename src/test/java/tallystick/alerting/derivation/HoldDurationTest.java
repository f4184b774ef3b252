package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.SignalOutcome.Evidence;

class HoldDurationTest {
  private static final long STEP = 30_000;

  @Test
  void anAlertWaitsOneEvaluationMoreThanHealthShowedIt() {
    assertThat(hold(List.of(1, 2), 40, 0.001)).isEqualTo(3 * STEP);
    assertThat(hold(List.of(20), 40, 0.001)).isEqualTo(300_000);
  }

  @Test
  void nothingIsWaitedForWhereEnoughHealthNeverShowedIt() {
    assertThat(hold(List.of(), 20, 0.01)).isZero();
    assertThat(hold(List.of(), 19, 0.01)).isEqualTo(STEP);
    assertThat(hold(List.of(), 20, 0.011)).isEqualTo(STEP);
  }

  private static long hold(List<Integer> lengths, int windows, double highest) {
    HeldOut none = new HeldOut(List.of(), new Confusion(0, 0, 0, 0), 0);
    Evidence evidence =
        new Evidence(windows, 9, 0, 1, 1, 1, 0.01, 0.01, highest, none, Optional.empty());
    return HoldDuration.millis(lengths, STEP, 0.01, evidence);
  }
}
