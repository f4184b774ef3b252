package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** Engines that a command starts; the command is this program's own simulated engine. */
@Tag("stress")
class ServedEngineIT {
  private static final long MOST_SECONDS = 120;

  @TempDir Path folder;

  private Path out;
  private String serve;

  @BeforeEach
  void write() throws IOException {
    out = folder.resolve("out");
    Files.writeString(
        folder.resolve("s.yaml"),
        """
        workload: {arrival: poisson, rate: 5, prompt_tokens: 20, output_tokens: 5}
        duration: 1s
        warmup: {requests: 1}
        """);
    serve =
        "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -Dof=" + folder
            + " -cp '" + System.getProperty("java.class.path") + "' tallystick.cli.Tally engine"
            + " --port {port} --max-num-seqs {max_num_seqs}";
  }

  /** The second engine that is started ends in the middle of its run. */
  private String dyingAtTheSecondStart() throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("engine.sh"),
            """
            starts='%1$s/starts'
            echo up >> "$starts"
            if [ "$(wc -l < "$starts")" = 2 ]; then
              %2$s & engine=$!
              sleep 12
              echo 'CUDA error: made up'
              kill -9 $engine
              exit 1
            fi
            exec %2$s
            """
                .formatted(folder, serve.replace("{port}", "$1").replace("{max_num_seqs}", "4")));
    return "sh '" + script + "' {port}";
  }

  @Test
  void aSearchWhoseEngineEndsSaysInWhichProbeAndGoesOn() throws Exception {
    Files.writeString(
        folder.resolve("s.yaml"), "objectives: [{ttft: 1s, share: 0.9}]\n",
        StandardOpenOption.APPEND);
    List<String> search =
        new ArrayList<>(
            List.of(
                "capacity", folder.resolve("s.yaml").toString(), "--budget", "200s", "--serve",
                dyingAtTheSecondStart(), "--out", out.toString()));

    CommandRun died = CommandRun.of(search.toArray(String[]::new));

    assertThat(died.code()).as(died.output()).isEqualTo(3);
    assertThat(died.output())
        .contains("probe-002: the engine ended in the middle of a run (exit code 1)")
        .contains("CUDA error: made up").contains("--resume");
    Path experiment = CommandRun.onlyRun(out);
    assertThat(Files.readAllLines(experiment.resolve("journal.ndjson"))).hasSize(2);

    search.addAll(List.of("--resume", experiment.toString()));
    CommandRun whole = CommandRun.of(search.toArray(String[]::new));

    assertThat(whole.code()).as(whole.output()).isIn(0, 5);
    assertThat(whole.output()).contains("1 finished probes are taken from");
    assertThat(Files.readAllLines(experiment.resolve("journal.ndjson"))).hasSizeGreaterThan(2);
    assertThat(engines()).isEmpty();
  }

  private List<String> regress(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "regress", folder.resolve("s.yaml").toString(), "--repeats", "3", "--out",
                out.toString(), "--base-engine", "max-num-seqs=4", "--save-baseline",
                folder.resolve("base.json").toString(), "--serve", serve));
    all.addAll(List.of(more));
    return all;
  }

  private Stream<ProcessHandle> engines() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.info().commandLine().orElse("").contains("-Dof=" + folder));
  }

  @Test
  void whoWantsQuietReadsNothingOfStarts() throws Exception {
    CommandRun run = CommandRun.of(regress("--quiet").toArray(String[]::new));

    assertThat(run.code()).as(run.output()).isIn(0, 4);
    assertThat(run.output().lines().filter(line -> !line.isBlank()).findFirst().orElseThrow())
        .startsWith("regress");
    assertThat(run.output()).doesNotContain("engine   ").doesNotContain("Starting the engine");
  }

  @Test
  void eachRunHasAnEngineOfItsOwnWithTheSettingsItWasAskedFor() throws Exception {
    long begin = System.nanoTime();
    CommandRun run = CommandRun.of(regress().toArray(String[]::new));
    double seconds = (System.nanoTime() - begin) / 1e9;

    assertThat(run.code()).as(run.output()).isIn(0, 4);
    assertThat(run.output())
        .contains("max_num_seqs 4").contains("Starting the engine took");
    Path experiment = CommandRun.onlyRun(out);
    List<String> journal = Files.readAllLines(experiment.resolve("journal.ndjson"));
    // A run whose client was late is played again once, on a busy machine.
    int runs = journal.size() - 1;
    assertThat(runs).isBetween(3, 4);
    assertThat(run.output()).contains("(starts: " + runs + ")");
    double elapsed = 0;
    for (String line : journal.subList(1, journal.size())) {
      JsonNode played = CommandRun.json(line);
      assertThat(played.at("/engine/0/runs").asText()).isEqualTo("4");
      assertThat(played.at("/engine/0/source").asText()).isEqualTo("LOG");
      assertThat(played.at("/figures/settings/label engine max_num_seqs").asText())
          .isEqualTo("4");
      elapsed += played.path("elapsed_seconds").asDouble();
    }
    assertThat(elapsed).isBetween(1.0, seconds);
    try (Stream<Path> files = Files.walk(experiment)) {
      assertThat(files.filter(file -> file.endsWith("engine.log"))).hasSize(runs);
    }
    assertThat(engines()).isEmpty();
  }

  @Test
  void anInterruptedExperimentLeavesNoEngineBehind() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally"));
    command.addAll(regress("--set", "duration=60s"));
    Path log = folder.resolve("log");
    Process tally =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
      while (!Files.readString(log).contains("engine   up") && System.nanoTime() < deadline) {
        assertThat(tally.isAlive()).as(Files.readString(log)).isTrue();
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(engines().filter(ProcessHandle::isAlive)).hasSizeGreaterThanOrEqualTo(1);

      tally.destroy();

      assertThat(tally.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(tally.exitValue()).as(Files.readString(log)).isEqualTo(130);
      assertThat(Files.readString(log)).contains("--resume");
      assertThat(engines()).isEmpty();
    } finally {
      tally.descendants().forEach(ProcessHandle::destroyForcibly);
      tally.destroyForcibly();
      engines().forEach(ProcessHandle::destroyForcibly);
    }
  }
}
