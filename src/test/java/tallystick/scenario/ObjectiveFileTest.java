package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.scenario.Objective.Limit;
import tallystick.scenario.Objective.Metric;

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
            "slo.yaml:2: objectives[0] has ttft and itl, but must have exactly one of ttft,"
                + " answer_ttft, thinking_tokens, tpot, largest_gap, e2e, session_time,"
                + " session_time_without_tools, itl, all; write for example objectives:"
                + " [{ttft: 500ms, share: 0.99}], and another for itl");
  }

  @Test
  void readsLimitsThatARequestMustKeepAllTogether() {
    String text = "objectives: [{all: [{ttft: 1s}, {tpot: 50ms}], share: 0.99}]";
    assertThat(ObjectiveFile.read("slo.yaml", text))
        .containsExactly(
            Objective.ofAll(
                List.of(new Limit(Metric.TTFT, 1), new Limit(Metric.TPOT, 0.05)), 0.99, ""));
  }

  @Test
  void aSessionCanBeHeldToLimitsWithEachOfItsRequests() {
    String text =
        "objectives: [{all: [{ttft: 1s}, {session_time_without_tools: 1m}], share: 0.9}]";
    Objective read = ObjectiveFile.read("slo.yaml", text).getFirst();
    assertThat(read.judgesSessions()).isTrue();
    assertThat(read.things()).isEqualTo("sessions");
    assertThat(read.limits())
        .containsExactly(
            new Limit(Metric.TTFT, 1), new Limit(Metric.SESSION_TIME_WITHOUT_TOOLS, 60));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {ttft: 1s}, {itl: 9ms} | 4: objectives[0].all[1] has itl, which judges gaps between
          {ttft: 1s}, {ttft: 2s}  | 4: objectives[0].all limits ttft twice
          {ttft: 1s}              | 3: objectives[0].all has one limit
          {ttft: 1s}, {tpot: 0s}  | 4: objectives[0].all[1].tpot must
          {ttft: 1s}, {e2e: 1s, tpot: 1s} | 4: objectives[0].all[1] has tpot and e2e, but must
          {ttft: 1s}, {tpto: 1s}  | 4: unknown key "tpto" in objectives[0].all[1]
          """)
  void refusesLimitsThatNoRequestCanBeHeldTo(String limits, String message) {
    String all = limits.replace(", {", ",\n    {");
    String text = "objectives:\n- share: 0.9\n  all: [" + all + "]\n";
    assertThatThrownBy(() -> ObjectiveFile.read("slo.yaml", text))
        .isInstanceOf(ScenarioException.class)
        .hasMessageStartingWith("slo.yaml:" + message);
  }

  @Test
  void refusesTheSameJointLimitsTwiceButNotOthers() {
    String of = "{all: [{ttft: 1s}, {tpot: 5ms}], share: 0.9}";
    String others = "{all: [{ttft: 1s}, {e2e: 5s}], share: 0.9}";
    assertThat(ObjectiveFile.read("slo.yaml", "objectives: [" + of + ", " + others + "]"))
        .hasSize(2);
    assertThatThrownBy(
            () -> ObjectiveFile.read("slo.yaml", "objectives: [" + of + ", " + of + "]"))
        .hasMessageContaining("judges all at the same share again");
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
