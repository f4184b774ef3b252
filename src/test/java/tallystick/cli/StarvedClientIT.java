package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * A client that gets next to no CPU must say so. It shares one core with busy loops of a hundred
 * times its weight, from the first measured answer on; the engine runs elsewhere. Only weights
 * matter, not the machine's speed. Needs Linux' taskset and nice.
 */
@Tag("stress")
class StarvedClientIT {
  private static final int LOOPS = 3;
  private static final long STARVED_SECONDS = 6;
  private static final String SCENARIO =
      """
      endpoint: completions
      workload: {%s, prompt_tokens: 32, output_tokens: 24}
      duration: 10s
      warmup: {requests: 4}
      objectives: [{ttft: 200ms, share: 0.9}]
      timeout: 30s
      """;

  @TempDir Path folder;

  @Test
  void anOpenLoopThatIsStarvedEndsClientSaturated() throws Exception {
    check("rate: 40");
  }

  @Test
  void aClosedLoopThatIsStarvedEndsClientSaturated() throws Exception {
    check("concurrency: 16");
  }

  private void check(String load) throws Exception {
    Path log = folder.resolve("log");
    try (EmbeddedEngine engine = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      Process tally = start(SCENARIO.formatted(load), engine.url(), log);
      List<Process> loops = new ArrayList<>();
      try {
        awaitMeasuredRows(tally);
        for (int i = 0; i < LOOPS; i++) {
          loops.add(
              new ProcessBuilder("taskset", "-c", "0", "sh", "-c", "while :; do :; done").start());
        }
        tally.waitFor(STARVED_SECONDS, TimeUnit.SECONDS);
      } finally {
        loops.forEach(Process::destroyForcibly);
      }
      assertThat(tally.waitFor(120, TimeUnit.SECONDS)).isTrue();
      String output = Files.readString(log);
      assertThat(tally.exitValue()).as(output).isEqualTo(4);
      assertThat(output)
          .contains("The client was saturated", "stood still", "Spoiled:", "Lower the rate");
    }
  }

  private Process start(String scenario, String url, Path log) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), scenario);
    return new ProcessBuilder(
            "taskset", "-c", "0", "nice", "-n", "19",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
            "run", file.toString(), "--target", url, "--out", out().toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private void awaitMeasuredRows(Process tally) throws Exception {
    while (tally.isAlive() && !hasMeasuredRow()) {
      tally.waitFor(50, TimeUnit.MILLISECONDS);
    }
    assertThat(tally.isAlive()).as("the run is on").isTrue();
  }

  private boolean hasMeasuredRow() throws IOException {
    if (!Files.isDirectory(out())) {
      return false;
    }
    try (Stream<Path> runs = Files.list(out())) {
      for (Path run : runs.toList()) {
        Path requests = RecordFiles.ofRun(run).requests();
        if (Files.exists(requests) && Files.readString(requests).contains("\"main\"")) {
          return true;
        }
      }
    }
    return false;
  }

  private Path out() {
    return folder.resolve("out");
  }
}
