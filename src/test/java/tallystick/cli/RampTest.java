package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.derivation.RisingLoad;
import tallystick.plan.Phase;
import tallystick.runrecord.RecordReader;

/** A load that changes without steps, from the scenario to every file that a reader opens. */
class RampTest {
  @TempDir Path folder;

  private CommandRun simulated(String ramp) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("ramp.yaml"),
            """
            name: ramp
            workload: {arrival: poisson, rate: {ramp: %s}, prompt_tokens: 200, output_tokens: 60}
            duration: 120s
            objectives: [{ttft: 500ms, share: 0.9}]
            """.formatted(ramp));
    return CommandRun.of(
        "simulate", scenario.toString(), "--seed", "3", "--out", folder.resolve("out").toString());
  }

  private String file(String name) throws IOException {
    return Files.readString(CommandRun.onlyRun(folder.resolve("out")).resolve(name));
  }

  @Test
  void aRisingLoadIsAnsweredByItsTenths() throws IOException {
    CommandRun run = simulated("{from: 10, to: 110}");

    assertThat(run.code()).as(run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains("10 steps, 15.0 to 105/s")
        .containsPattern(
            "HOLDS +\\d+\\.\\d requests/s, the low end of ramp-\\d+ \\(\\w+\\), not \\d+")
        .containsPattern("WHY +TTFT mean rose from .* at 15\\.0/s to .* at \\d+")
        .containsPattern("ramp-\\d+ +\\d+\\.\\d .*met \\(likely\\)")
        .containsPattern("\\+ \\d more phases: --verbose")
        .doesNotContain("tokens/s", "good/s   ");
    String summary = file("summary.md");
    assertThat(summary).contains("HOLDS").contains("ramp-10").contains("10 steps, 15.0 to 105/s");
    String page = file("report.html");
    assertThat(page).contains("Holds: ").contains("</b> at ").doesNotContain("preemptions</b>");
    JsonNode phases = CommandRun.json(file("analysis.json")).at("/phases");
    assertThat(phases).hasSize(10);
    assertThat(phases.at("/0/offered_per_second").asDouble()).isEqualTo(15);
    assertThat(phases.at("/9/offered_per_second").asDouble()).isEqualTo(105);
    assertThat(phases.at("/0/objectives/0/verdict").asText()).isEqualTo("met");
    assertThat(phases.at("/9/objectives/0/verdict").asText()).isEqualTo("missed");
    assertThat(file("record/plan.json")).contains("\"ramp\":true");
    // An alert can be early on it, and no threshold is learned of a rate that goes on changing.
    RecordReader record = RecordReader.open(CommandRun.onlyRun(folder.resolve("out")));
    assertThat(RisingLoad.isIn(record)).isTrue();
    assertThat(record.settings().phases()).noneMatch(Phase::hasOneRate);
    assertThat(CommandRun.json(file("answers.json")).at("/figures/TTFT P95").asText())
        .contains(" at ");
  }

  /** What falls still carries the queue of before: there is no rate that holds, but each tenth. */
  @Test
  void aFallingLoadIsJudgedAsAWholeAndByItsTenths() throws IOException {
    CommandRun run = simulated("{from: 30, to: 0}");

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output()).contains("MET ").doesNotContain("HOLDS");
    JsonNode phases = CommandRun.json(file("analysis.json")).at("/phases");
    assertThat(phases).hasSize(10);
    assertThat(phases.at("/9/offered_per_second").asDouble()).isEqualTo(1.5);
  }
}
