package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.ScenarioReader;

class FiguresReadingTest {
  /** The words of a command name its folder, target and seed, which repeats do not share. */
  @Test
  void howARunWasTypedDoesNotMakeItsMachineAnother() {
    ComparedRun one = typed("run s.yaml --out reports/old --seed 1", "vm");
    ComparedRun other = typed("run s.yaml --out reports/new --seed 2", "vm");
    assertThat(other.likeness()).isEqualTo(one.likeness());
  }

  @Test
  void anotherMachineIsToldByItsName() {
    ComparedRun one = typed("run s.yaml", "one");
    ComparedRun other = typed("run s.yaml", "other");
    assertThat(Comparability.apart(List.of(one), List.of(other)))
        .anySatisfy(
            unlike -> {
              assertThat(unlike.key()).isEqualTo("machine");
              assertThat(unlike.text()).contains("name=one", "name=other");
            });
  }

  private static ComparedRun typed(String command, String machine) {
    MemoryRun run = new MemoryRun();
    run.host.put("command", command);
    run.host.put("name", machine);
    return FiguresReading.of(run);
  }

  /** A slower candidate of a closed loop "lost" 4.9 % of its requests, and lost none. */
  @Test
  void whatAClosedLoopHasNoTimeForIsNotLost(@TempDir Path folder) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("closed.yaml"),
            """
            workload: {concurrency: 4, prompt_tokens: 100, output_tokens: 20}
            duration: 4s
            """);
    Plan plan = Planner.plan(ScenarioReader.read(scenario, List.of(), List.of()), 1);
    new DriftingWorld(0, false, 1).engine(1, Map.of()).play(plan, folder);
    ComparedRun figures = FiguresReading.of(RecordReader.open(folder));

    assertThat(figures.load().requests()).isPositive();
    assertThat(figures.metrics().get(ComparedMetric.COMPLETED)).isEqualTo(1.0);
  }
}
