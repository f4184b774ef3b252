package tallystick.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;
import tallystick.cli.run.RunIT;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * The harness that {@code launch llm-d} writes, called as llm-d-benchmark's pod calls it: by
 * environment variables, with the profile mounted below the workspace.
 */
@Tag("stress")
class LlmdHarnessIT {
  @TempDir private Path folder;

  @Test
  void theScriptMeasuresTheEndpointAndLeavesTheReportsThatAreCollected() throws Exception {
    int code = harness("objectives: [{ttft: 60s, share: 0.5}]\n", "");

    assertThat(code).as(said()).isIn(0, 4);
    JsonNode report =
        CommandRun.json(
            Files.readString(results().resolve("benchmark_report_v0.2,_tallystick.json.yaml")));
    assertThat(report.path("version").asText()).isEqualTo("0.2");
    assertThat(results().resolve("stdout.log")).content().contains("small");
    assertThat(results().resolve("run_metadata.yaml"))
        .content()
        .contains("harness_name: tallystick", "harness_rc: " + code, "harness_start: 20");
    assertThat(CommandRun.onlyRun(results().resolve("tallystick")).resolve("report.html"))
        .isNotEmptyFile();
    JsonNode counts = CommandRun.analysis(results().resolve("tallystick")).path("counts");
    assertThat(counts.path("ok").asInt()).isPositive();
  }

  /** A pod that failed would be tried again, and what it measured would be measured twice. */
  @Test
  void aViolatedObjectiveIsAResultAndNoFailureOfThePod() throws Exception {
    int code = harness("objectives: [{ttft: 1us, share: 0.99}]\n", "--no-scrape");

    assertThat(code).as(said()).isIn(0, 4);
    assertThat(results().resolve("run_metadata.yaml"))
        .content()
        .contains("harness_rc: " + (code == 0 ? 1 : 4));
  }

  @Test
  void aMistakeOfTheCallIsAFailureOfThePod() throws Exception {
    assertThat(harness("", "--no-such-option")).as(said()).isEqualTo(2);
  }

  private int harness(String more, String arguments) throws Exception {
    Path scenario = Files.writeString(folder.resolve("small.yaml"), RunIT.SMALL + more);
    Path workspace = folder.resolve("workspace");
    CommandRun launched =
        CommandRun.of("launch", "llm-d", scenario.toString(), "--out", folder + "/files");
    assertThat(launched.code()).as(launched.output()).isZero();
    Path profile = workspace.resolve("profiles/tallystick/small.yaml");
    Files.createDirectories(profile.getParent());
    Files.copy(folder.resolve("files/workload/profiles/tallystick/small.yaml.in"), profile);
    EngineSettings tiny = EngineSettings.ofFlags(Map.of("served-model-name", "tiny"));
    try (EmbeddedEngine engine = EmbeddedEngine.start(tiny, "127.0.0.1", 0)) {
      ProcessBuilder script =
          new ProcessBuilder(
                  folder + "/files/workload/harnesses/tallystick-llm-d-benchmark.sh")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile());
      script
          .environment()
          .putAll(
              Map.of(
                  "LLMDBENCH_RUN_EXPERIMENT_RESULTS_DIR", results().toString(),
                  "LLMDBENCH_RUN_WORKSPACE_DIR", workspace.toString(),
                  "LLMDBENCH_RUN_EXPERIMENT_HARNESS_WORKLOAD_NAME", "small.yaml",
                  "LLMDBENCH_HARNESS_STACK_ENDPOINT_URL", engine.url() + "/v1/",
                  "LLMDBENCH_DEPLOY_CURRENT_MODEL", "tiny",
                  "TALLY", launcher().toString(),
                  "TALLY_ARGUMENTS", arguments));
      Process process = script.start();
      boolean hasEnded = process.waitFor(180, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(hasEnded).as(said()).isTrue();
      return process.exitValue();
    }
  }

  /** The launcher's place in the pod's image, taken by this build. */
  private Path launcher() throws Exception {
    Path launcher =
        Files.writeString(
            folder.resolve("tally"),
            "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -cp '" + System.getProperty("java.class.path")
                + "' tallystick.cli.Tally \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    return launcher;
  }

  private Path results() {
    return folder.resolve("results");
  }

  private String said() throws Exception {
    return Files.exists(folder.resolve("log")) ? Files.readString(folder.resolve("log")) : "";
  }
}
