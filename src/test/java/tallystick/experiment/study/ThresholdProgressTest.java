package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.experiment.study.ThresholdProgress.State;
import tallystick.scenario.Objective;

class ThresholdProgressTest {
  private static State state(Requirement need, double found, double limit, int runs) {
    return ThresholdProgress.of(
            Objective.Metric.TTFT, Signal.TTFT_P95,
            List.of(new UnmetRequirement(need, found, limit, "")), runs)
        .state();
  }

  @Test
  void whatLacksNothingIsEarned() {
    assertThat(ThresholdProgress.of(Objective.Metric.TTFT, Signal.KV_MAX, List.of(), 4).state())
        .isEqualTo(State.EARNED);
  }

  @Test
  void fewViolatedWindowsAskForMoreRunsAndNoneAtAllDoNot() {
    assertThat(state(Requirement.VIOLATED_WINDOWS, 3, 5, 4)).isEqualTo(State.OPEN);
    assertThat(state(Requirement.VIOLATED_WINDOWS, 0, 5, 2)).isEqualTo(State.OPEN);
    assertThat(state(Requirement.VIOLATED_WINDOWS, 0, 5, 4)).isEqualTo(State.OUT_OF_REACH);
  }

  @Test
  void aFigureFarFromItsLimitIsGivenUpSooner() {
    assertThat(state(Requirement.AREA, 0.75, 0.8, 4)).isEqualTo(State.OPEN);
    assertThat(state(Requirement.AREA, 0.5, 0.8, 4)).isEqualTo(State.OUT_OF_REACH);
    assertThat(state(Requirement.AREA, 0.75, 0.8, 8)).isEqualTo(State.OUT_OF_REACH);
  }

  @Test
  void aSecondMixIsWorthItsTime() {
    assertThat(state(Requirement.MIXES, 1, 2, 9)).isEqualTo(State.OPEN);
    assertThat(state(Requirement.EDGES, 0, 1, 2)).isEqualTo(State.OUT_OF_REACH);
  }
}
