package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tallystick.experiment.Budget;
import tallystick.experiment.ScreenLines;
import tallystick.scenario.Objective;

class StudyScreenTest {
  private static String text(List<Objective> leftOut) {
    FinishedStudy study =
        new FinishedStudy(
            "chat", "an engine", "m", new Budget(OptionalDouble.empty()), new StudyEnd.Decided(),
            List.of(), List.of(), leftOut, Optional.empty());
    return new StudyScreen(study, List.of()).text().replaceAll("\\s+", " ");
  }

  @Test
  void theExperimentsFolderIsNamedInItsCommands() {
    String folder = "reports/" + "x".repeat(60);
    String screen =
        "NEXT     promtool test rules FOLDER/r.yaml\n         ./tally open FOLDER\n";
    assertThat(ScreenLines.in(folder, screen))
        .isEqualTo(
            "NEXT     promtool test rules \\\n   " + folder + "/r.yaml\n"
                + "         ./tally open \\\n         " + folder + "\n");
    assertThat(ScreenLines.in("reports/a", "NEXT     --resume FOLDER goes on\n"))
        .isEqualTo("NEXT     --resume reports/a goes on\n");
  }

  @Test
  void anObjectiveThatIsNotStudiedIsSaid() {
    assertThat(text(List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.5, ""))))
        .contains("not studied: ttft <= 0.2 s for 0.5 (one objective of each metric");
    assertThat(text(List.of())).doesNotContain("not studied");
  }
}
