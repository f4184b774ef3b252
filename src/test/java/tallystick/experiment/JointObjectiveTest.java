package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

class JointObjectiveTest {
  private static final JointObjective CHAT =
      JointObjective.of(
          List.of(
              new Objective(Metric.TTFT, 0.25, 0.99, ""),
              new Objective(Metric.TPOT, 0.03, 0.99, "")),
          OptionalDouble.empty());

  @Test
  void takesTheLimitsOfJointObjectivesApart() {
    Objective joint =
        Objective.ofAll(CHAT.limits().stream().map(JointObjectiveTest::limit).toList(), 0.99, "");
    assertThat(JointObjective.of(List.of(joint), OptionalDouble.empty())).isEqualTo(CHAT);
  }

  private static Objective.Limit limit(Objective of) {
    return new Objective.Limit(of.metric(), of.thresholdSeconds());
  }

  @Test
  void sharesMustAgreeOrOneBeGiven() {
    List<Objective> two =
        List.of(
            new Objective(Metric.TTFT, 0.25, 0.99, ""), new Objective(Metric.E2E, 2, 0.95, ""));

    assertThatThrownBy(() -> JointObjective.of(two, OptionalDouble.empty()))
        .hasMessageContaining("ask for 95 % and 99 % of the requests");
    assertThat(JointObjective.of(two, OptionalDouble.of(0.9)).words())
        .isEqualTo("TTFT within 250 ms and E2E within 2 s for 90 %");
  }

  @Test
  void nothingIsNoJointObjective() {
    assertThatThrownBy(() -> JointObjective.of(List.of(), OptionalDouble.empty()))
        .hasMessageContaining("no objective");
  }
}
