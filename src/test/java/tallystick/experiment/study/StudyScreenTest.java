package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tallystick.experiment.Budget;
import tallystick.scenario.Objective;

class StudyScreenTest {
  private static String text(List<Objective> leftOut) {
    FinishedStudy study =
        new FinishedStudy(
            "chat", "an engine", "m", new Budget(OptionalDouble.empty()), new StudyEnd.Decided(),
            List.of(), List.of(), leftOut);
    return new StudyScreen(study, List.of()).text().replaceAll("\\s+", " ");
  }

  @Test
  void anObjectiveThatIsNotStudiedIsSaid() {
    assertThat(text(List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.5, ""))))
        .contains("not studied: ttft <= 0.2 s for 0.5 (one objective of each metric");
    assertThat(text(List.of())).doesNotContain("not studied");
  }
}
