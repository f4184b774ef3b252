package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.regress.RegressionJudge.Runs;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.ScenarioReader;

/** When a later turn comes, and whether, is the engine's doing and no other load. */
class ConversationsComparedTest {
  private static final int PAIRS = 3;

  @TempDir Path folder;

  private List<ComparedRun> played(String name, int maxTokens, double slow, String fault)
      throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            workload:
              rate: 3
              arrival: poisson
              prompt_tokens: 100
              output_tokens: {turns}
              conversation: {turns: 3, think_time: 500ms}
            duration: 20s
            """.replace("{turns}", Integer.toString(maxTokens)));
    Map<String, String> flags = fault.isEmpty() ? Map.of() : Map.of("fault", fault);
    List<ComparedRun> runs = new ArrayList<>();
    for (int seed = 1; seed <= PAIRS; seed++) {
      Plan plan = Planner.plan(ScenarioReader.read(scenario, List.of(), List.of()), seed);
      Path run = Files.createDirectory(folder.resolve(name + seed));
      new DriftingWorld(0, false, seed).engine(slow, flags).play(plan, run);
      runs.add(FiguresReading.of(RecordReader.open(run)));
    }
    return runs;
  }

  private static Regression judged(List<ComparedRun> base, List<ComparedRun> candidate) {
    return RegressionJudge.judge(
        Runs.recorded(base, candidate), NonInferiorityMargins.usual(), Optional.empty());
  }

  @Test
  void aCandidateThatFailsRequestsIsAskedFewerLaterTurnsAndRegresses() throws Exception {
    List<ComparedRun> base = played("well", 20, 1, "");

    assertThat(judged(base, played("allFail", 20, 1, "http503:p=1")).verdict())
        .isEqualTo(Regression.Verdict.REGRESSED);
    assertThat(judged(base, played("someFail", 20, 1, "http503:p=0.4")).verdict())
        .isEqualTo(Regression.Verdict.REGRESSED);
  }

  @Test
  void aCandidateSoSlowThatLaterTurnsComeLateRegresses() throws Exception {
    List<ComparedRun> base = played("fast", 20, 1, "");

    assertThat(judged(base, played("slow", 20, 8, "")).verdict())
        .isEqualTo(Regression.Verdict.REGRESSED);
  }

  @Test
  void otherLengthsAreStillAnotherMix() throws Exception {
    assertThat(judged(played("short", 20, 1, ""), played("long", 22, 1, "")).unlike())
        .extracting(Regression.Unlike::key)
        .contains("mix");
  }
}
