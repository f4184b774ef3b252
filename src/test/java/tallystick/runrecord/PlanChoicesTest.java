package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;

class PlanChoicesTest {
  @TempDir Path folder;

  @Test
  void theHeadNamesOnlyRequestsOfSeveralAnswers() throws Exception {
    Plan plan = new Plan(settings(), List.of(request(0, 1), request(1, 3), request(2, 1)));
    Path file = folder.resolve("plan.json");
    try (OutputStream out = Files.newOutputStream(file)) {
      PlanJson.write(plan, out);
    }
    assertThat(PlanJson.readHead(file).choices()).isEqualTo(Map.of(1, 3));
    assertThat(PlanJson.read(file).requests()).hasSize(3);
  }

  private static PlannedRequest request(int index, int choices) {
    return new PlannedRequest(
        index, "main", "default", index, 0, 0, 0, Prompt.Synthetic.unique(4), 8, choices, 0,
        PlannedRequest.Cancel.NEVER);
  }

  private static Settings settings() {
    return new Settings(
        "x", 1, Endpoint.COMPLETIONS, "", List.of(), LoopShape.OPEN, 0,
        List.of(new Phase("main", false, 0, 1_000_000_000L, 3)), List.of(),
        new Settings.Timing(1_000_000_000L, 1_000_000_000L, 1_000_000_000L),
        new RequestForm(true, false, true, "{}", Map.of()), Map.of(),
        List.of(),
        Scenario.Access.PLAIN,
        Scenario.StopRules.NEVER,
        List.of());
  }
}
