package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A file of objectives is read by the reader of scenarios. */
class ObjectiveFileTest {

  @Test
  void readsObjectivesAsAScenarioDoes() {
    assertThat(ObjectiveFile.read("slo.yaml", "objectives: [{itl: 50ms, share: 0.99}]"))
        .containsExactly(new Objective(Objective.Metric.ITL, 0.05, 0.99, ""));
  }

  @Test
  void refusesTwoMetricsInOneObjective() {
    assertThatThrownBy(
            () ->
                ObjectiveFile.read(
                    "slo.yaml", "objectives:\n  - {ttft: 1s, itl: 50ms, share: 0.95}\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(
            "slo.yaml:2: objectives[0] judges ttft and itl;"
                + " name exactly one of ttft, tpot, largest_gap, e2e, itl");
  }

  @Test
  void refusesAFileWithoutObjectives() {
    assertThatThrownBy(() -> ObjectiveFile.read("slo.yaml", "name: x\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("objectives is missing");
  }

  @Test
  void refusesAClassBecauseNoEngineTellsThemApart() {
    assertThatThrownBy(
            () ->
                ObjectiveFile.read(
                    "slo.yaml", "objectives: [{ttft: 1s, share: 0.9, class: chat}]"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("unknown key \"class\"");
  }
}
