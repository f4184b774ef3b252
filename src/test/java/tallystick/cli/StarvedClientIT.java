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
 * A client that gets next to no CPU must say so, and never blames the engine, which keeps the
 * objective by far: either nothing of the run counts, or its verdict holds with and without the
 * client's delay. Which of both depends on how late the machine makes it. The client shares one
 * core with busy loops of a hundred times its weight, from the first measured answer on; the engine
 * runs elsewhere. Only weights matter, not the machine's speed. Needs Linux' taskset and nice.
 */
@Tag("stress")
class StarvedClientIT {
  private static final int LOOPS = 3;
  private static final long STARVED_SECONDS = 6;
  private static final int KEPT = 0;
  private static final int INVALID = 4;
  private static final int TOO_CLOSE = 5;
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
  void anOpenLoopThatIsStarvedSaysSo() throws Exception {
    starved("rate: 40");
  }

  @Test
  void aClosedLoopThatIsStarvedSaysSo() throws Exception {
    starved("concurrency: 16");
  }

  @Test
  void aClosedLoopOnHalfACoreInShortSlicesSaysSo() throws Exception {
    String scenario = SCENARIO.formatted("concurrency: 16").replace("200ms", "50ms");
    String told = play(scenario, List.of(), this::halve);
    assertThat(told).contains("P95 of how late a sleeping thread woke is");
  }

  private void starved(String load) throws Exception {
    String told =
        play(SCENARIO.formatted(load), List.of("taskset", "-c", "0", "nice", "-n", "19"),
            this::starve);
    assertThat(told)
        .contains("The load process stood still for", "; allowed are 1 %")
        .contains("Other programs, an engine here too, used", "from a machine of its own");
  }

  /** The two ends of a run whose client was late; missed, 1, is none of them. */
  private static void assertSaysItWasLate(int code, String told) {
    assertThat(code).as(told).isIn(INVALID, KEPT, TOO_CLOSE);
    if (code == INVALID) {
      assertThat(told)
          .contains(
              "The load generator could not keep up: its delays are inside the latencies.",
              "Not usable: ")
          .doesNotContain("no verdict depends on it");
    } else {
      assertThat(told)
          .contains(
              "The load generator was late at times: its delays are inside the latencies.",
              "The client was late at times: figures with ~ include its delay; no verdict"
                  + " depends on it.",
              "No verdict depends on it. Not exact: ")
          .containsPattern("\\bTTFT ~\\d")
          .contains(code == KEPT ? "MET " : "TOO CLOSE ")
          .doesNotContain("MISSED");
    }
    assertThat(told)
        .containsPattern(
            "What to do: (Other programs, an engine here too, used|The client alone used"
                + "|Neither the client \\()");
  }

  private interface Disturbance {
    void disturb(Process tally) throws Exception;
  }

  /** What the run told, in one line. */
  private String play(String scenario, List<String> prefix, Disturbance disturbance)
      throws Exception {
    Path log = folder.resolve("log");
    try (EmbeddedEngine engine = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      Process tally = start(scenario, prefix, engine.url(), log);
      awaitMeasuredRows(tally);
      disturbance.disturb(tally);
      assertThat(tally.waitFor(120, TimeUnit.SECONDS)).isTrue();
      String told = Files.readString(log).replaceAll("\\s+", " ");
      assertSaysItWasLate(tally.exitValue(), told);
      return told;
    }
  }

  private void starve(Process tally) throws Exception {
    List<Process> loops = new ArrayList<>();
    try {
      for (int i = 0; i < LOOPS; i++) {
        loops.add(
            new ProcessBuilder("taskset", "-c", "0", "sh", "-c", "while :; do :; done").start());
      }
      tally.waitFor(STARVED_SECONDS, TimeUnit.SECONDS);
    } finally {
      loops.forEach(Process::destroyForcibly);
    }
  }

  /** The load process runs half of the time, in slices of about 15 ms, as under a CPU quota. */
  private void halve(Process tally) throws Exception {
    // The only child of tally run.
    long load = tally.children().findFirst().orElseThrow().pid();
    String slices =
        "i=0; while [ $i -lt 250 ] && kill -STOP $0; do"
            + " sleep 0.013; kill -CONT $0; sleep 0.013; i=$((i+1)); done";
    Process halving =
        new ProcessBuilder("sh", "-c", slices, Long.toString(load))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(halving.waitFor(120, TimeUnit.SECONDS)).isTrue();
  }

  private Process start(String scenario, List<String> prefix, String url, Path log)
      throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), scenario);
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
            "run", file.toString(), "--target", url, "--verbose", "--out", out().toString()));
    return new ProcessBuilder(command)
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
