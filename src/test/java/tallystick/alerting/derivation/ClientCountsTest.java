package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.Planner;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

class ClientCountsTest {
  private static final String SCENARIO =
      """
      name: closed
      endpoint: completions
      workload: {arrival: closed, concurrency: 2, prompt_tokens: 50, output_tokens: 10}
      requests: 60
      objectives: [{ttft: 2s, share: 0.9}]
      """;

  @TempDir private Path folder;

  @Test
  void aClosedLoopOfSoManyRequestsEndsWithTheLastOfThem() throws Exception {
    Path file = Files.writeString(folder.resolve("closed.yaml"), SCENARIO);
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    Path run = folder.resolve("played");
    new VirtualRecord(
            Planner.plan(scenario, 7), EngineSettings.ofFlags(Map.of()),
            new VirtualWorld.Shape(100_000, 0, 0, 0, 0), "test")
        .write(RecordFiles.ofRun(run));
    RunRows rows = RecordReader.open(run);
    ClientCounts counts =
        ClientCounts.of(rows, rows.settings().objectives().getFirst(), 30_000);
    assertThat(counts.counts()).singleElement()
        .satisfies(count -> assertThat(count.observed()).isEqualTo(60));
  }
}
