package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/**
 * A live run whose processes are killed at moments drawn by chance. Nothing here asks how fast the
 * machine is: a moment counts from rows that are there, and a run is long enough for each.
 */
@Tag("stress")
class KilledRunIT {
  private static final int MOMENTS = Integer.getInteger("moments", 2);
  private static final int MOST_MILLIS = 2_000;
  private static final long SEED = Long.getLong("moments.seed", 20_260);

  private static final long MOST_SECONDS = 150;
  private static final String[] TOLD = {
    "nobody closed the record", "tally itself was killed", "ended by signal 9"
  };

  @TempDir private Path folder;

  @Test
  void whateverIsKilledTheRecordSaysSoAndInventsNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < MOMENTS; i++) {
      killedAt(random.nextInt(MOST_MILLIS), i % 2 == 0, folder.resolve("run-" + i));
    }
  }

  /**
   * From before the record to after the reports. A first run that nobody disturbs says how long a
   * life is here.
   */
  @Test
  void atWhateverMomentOfItsLifeARunIsKilledItSaysHowFarItCame() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    long began = System.nanoTime();
    Process whole = start(folder.resolve("whole"), "6s");
    assertThat(whole.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    long lifeMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    Map<String, Integer> ends = new TreeMap<>();
    for (int i = 0; i < MOMENTS; i++) {
      Path out = folder.resolve("life-" + i);
      Process tally = start(out, "6s");
      tally.waitFor(random.nextLong(lifeMillis + lifeMillis / 20), TimeUnit.MILLISECONDS);
      kill(tally, i % 2 == 0);
      ends.merge(cameTo(out), 1, Integer::sum);
    }
    System.out.println(
        "killed: " + MOMENTS + " of seed " + SEED + " in " + lifeMillis + " ms: " + ends);
  }

  /** What a user is told who asks for the report afterwards; nothing of it may be a bug's. */
  private static String cameTo(Path out) throws Exception {
    if (!Files.isDirectory(out) || isEmpty(out)) {
      return "nothing";
    }
    Path run = CommandRun.onlyRun(out);
    CommandRun report = CommandRun.of("report", run.toString());
    String words = report.output().replaceAll("\\s+", " ");
    assertThat(words).doesNotContain("Exception", "\tat ");
    if (report.code() == 2) {
      assertThat(words).contains("holds no run record");
      return "no record";
    }
    figuresAreThoseOfRows(out);
    try (Stream<Path> files = Files.walk(run)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".partial"));
    }
    if (CommandRun.analysis(out).at("/run/state").asText().equals("completed")) {
      assertThat(report.code()).as(report.output()).isIn(0, 1, 4, 5);
      return "whole";
    }
    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(words).contains("INVALID").containsAnyOf(TOLD);
    return "told as killed";
  }

  private static boolean isEmpty(Path folder) throws Exception {
    try (Stream<Path> held = Files.list(folder)) {
      return held.findAny().isEmpty();
    }
  }

  /** The command dies, and its load process at once or by itself. */
  private static void kill(Process tally, boolean isLoadKilled) throws Exception {
    List<ProcessHandle> load = tally.descendants().toList();
    if (isLoadKilled) {
      load.forEach(ProcessHandle::destroyForcibly);
    }
    tally.destroyForcibly().waitFor();
    for (ProcessHandle left : load) {
      left.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  private void killedAt(int millis, boolean isLoadKilled, Path out) throws Exception {
    Process tally = start(out, "120s");
    try {
      CommandRun.awaitRows(out, 1, tally::isAlive);
      TimeUnit.MILLISECONDS.sleep(millis);
      kill(tally, isLoadKilled);
    } finally {
      tally.destroyForcibly().waitFor();
    }

    Path run = CommandRun.onlyRun(out);
    CommandRun report = CommandRun.of("report", run.toString());
    String words = report.output().replaceAll("\\s+", " ");
    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(words)
        .contains("INVALID")
        .containsAnyOf(TOLD);
    figuresAreThoseOfRows(out);
  }

  private Process start(Path out, String duration) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"), RunIT.SMALL.replace("duration: 3s", "duration: " + duration));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
            "run", scenario.toString(), "--out", out.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static void figuresAreThoseOfRows(Path out) throws Exception {
    List<JsonNode> rows =
        CommandRun.wholeRows(out).stream()
            .filter(row -> !row.path("phase").asText().equals("warmup"))
            .toList();
    List<JsonNode> good =
        rows.stream().filter(row -> row.path("outcome").asText().equals("ok")).toList();
    JsonNode analysis = CommandRun.analysis(out);
    assertThat(analysis.at("/counts/ended").asInt()).isEqualTo(rows.size());
    assertThat(analysis.at("/counts/ok").asInt()).isEqualTo(good.size());
    // A stream that was cut may have told its tokens too.
    assertThat(analysis.at("/counts/completion_tokens").asInt())
        .isEqualTo(
            rows.stream().mapToInt(row -> row.path("usage_completion_tokens").asInt()).sum());
  }
}
