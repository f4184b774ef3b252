package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordFiles;

/**
 * A live run whose processes are killed at moments drawn by chance. Nothing here asks how fast the
 * machine is: a moment counts from rows that are there, and a run is long enough for each.
 */
@Tag("stress")
class KilledRunIT {
  private static final int MOMENTS = Integer.getInteger("moments", 2);
  private static final int MOST_MILLIS = 2_000;
  private static final long SEED = Long.getLong("moments.seed", 20_260);

  @TempDir private Path folder;

  @Test
  void whateverIsKilledTheRecordSaysSoAndInventsNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < MOMENTS; i++) {
      killedAt(random.nextInt(MOST_MILLIS), i % 2 == 0, folder.resolve("run-" + i));
    }
  }

  /** The command dies, and its load process at once or by itself. */
  private void killedAt(int millis, boolean isLoadKilled, Path out) throws Exception {
    Process tally = start(out);
    List<ProcessHandle> load;
    try {
      CommandRun.awaitRows(out, 1, tally::isAlive);
      TimeUnit.MILLISECONDS.sleep(millis);
      load = tally.descendants().toList();
      if (isLoadKilled) {
        load.forEach(ProcessHandle::destroyForcibly);
      }
    } finally {
      tally.destroyForcibly().waitFor();
    }
    for (ProcessHandle left : load) {
      left.onExit().get(60, TimeUnit.SECONDS);
    }

    Path run = CommandRun.onlyRun(out);
    CommandRun report = CommandRun.of("report", run.toString());
    String words = report.output().replaceAll("\\s+", " ");
    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(words)
        .contains("INVALID")
        .containsAnyOf(
            "nobody closed the record", "tally itself was killed", "ended by signal 9");
    figuresAreThoseOfRows(out);
  }

  private Process start(Path out) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"), RunIT.SMALL.replace("duration: 3s", "duration: 120s"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
            "run", scenario.toString(), "--out", out.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  /** A last line that is half a line is no row. */
  private static void figuresAreThoseOfRows(Path out) throws Exception {
    String text = Files.readString(RecordFiles.ofRun(CommandRun.onlyRun(out)).requests());
    List<JsonNode> rows =
        text.substring(0, text.lastIndexOf('\n') + 1).lines().map(CommandRun::json)
            .filter(row -> !row.path("phase").asText().equals("warmup"))
            .toList();
    List<JsonNode> good =
        rows.stream().filter(row -> row.path("outcome").asText().equals("ok")).toList();
    JsonNode analysis = CommandRun.analysis(out);
    assertThat(analysis.at("/counts/ended").asInt()).isEqualTo(rows.size());
    assertThat(analysis.at("/counts/ok").asInt()).isEqualTo(good.size());
    assertThat(analysis.at("/counts/completion_tokens").asInt())
        .isEqualTo(
            good.stream().mapToInt(row -> row.path("usage_completion_tokens").asInt()).sum());
  }
}
