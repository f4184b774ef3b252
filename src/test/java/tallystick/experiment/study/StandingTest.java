package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.Need;
import tallystick.alerting.derivation.Shortfall;
import tallystick.alerting.derivation.Signal;
import tallystick.experiment.study.Standing.State;
import tallystick.scenario.Objective;

class StandingTest {
  private static State state(Need need, double found, double limit, int runs) {
    return Standing.of(
            Objective.Metric.TTFT, Signal.TTFT_P95,
            List.of(new Shortfall(need, found, limit, "")), runs)
        .state();
  }

  @Test
  void whatLacksNothingIsEarned() {
    assertThat(Standing.of(Objective.Metric.TTFT, Signal.KV_MAX, List.of(), 4).state())
        .isEqualTo(State.EARNED);
  }

  @Test
  void fewViolatedWindowsAskForMoreRunsAndNoneAtAllDoNot() {
    assertThat(state(Need.VIOLATED_WINDOWS, 3, 5, 4)).isEqualTo(State.OPEN);
    assertThat(state(Need.VIOLATED_WINDOWS, 0, 5, 2)).isEqualTo(State.OPEN);
    assertThat(state(Need.VIOLATED_WINDOWS, 0, 5, 4)).isEqualTo(State.OUT_OF_REACH);
  }

  @Test
  void aFigureFarFromItsLimitIsGivenUpSooner() {
    assertThat(state(Need.AREA, 0.75, 0.8, 4)).isEqualTo(State.OPEN);
    assertThat(state(Need.AREA, 0.5, 0.8, 4)).isEqualTo(State.OUT_OF_REACH);
    assertThat(state(Need.AREA, 0.75, 0.8, 8)).isEqualTo(State.OUT_OF_REACH);
  }

  @Test
  void aSecondMixIsWorthItsTime() {
    assertThat(state(Need.MIXES, 1, 2, 9)).isEqualTo(State.OPEN);
    assertThat(state(Need.EDGES, 0, 1, 2)).isEqualTo(State.OUT_OF_REACH);
  }
}
