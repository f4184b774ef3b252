package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.run.RunIT;

/** A process that is stopped for ten seconds and goes on: nothing hangs, and the stall is told. */
@Tag("stress")
class StoppedProcessTest {
  private static final long STOPPED_SECONDS = 10;
  private static final long MOST_SECONDS = 150;

  @TempDir Path folder;

  /** The embedded engine lives in the process of the command, the load in a process of its own. */
  @ParameterizedTest
  @CsvSource({
    "false, the longest hole is ([5-9]|1[0-9])[.]",
    "true, The load process stood still for (9|1[0-9])[.]"
  })
  void isToldInTheReport(boolean isLoad, String words) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"), RunIT.SMALL.replace("duration: 3s", "duration: 30s"));
    Path out = folder.resolve("out");
    Path log = folder.resolve("log");
    Process tally =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
                "run", scenario.toString(), "--out", out.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      CommandRun.awaitRows(out, 40, tally::isAlive);
      ProcessHandle load = tally.children().findFirst().orElseThrow();
      long pid = isLoad ? load.pid() : tally.pid();
      signal("-STOP", pid);
      TimeUnit.SECONDS.sleep(STOPPED_SECONDS);
      signal("-CONT", pid);

      assertThat(tally.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(tally.exitValue()).as(Files.readString(log)).isIn(0, 1, 4);
      JsonNode analysis = CommandRun.analysis(out);
      assertThat(analysis.at("/run/state").asText()).isEqualTo("completed");
      assertThat(analysis.path("findings").toString()).containsPattern(words);
      assertThat(load.isAlive()).isFalse();
    } finally {
      tally.children().forEach(ProcessHandle::destroyForcibly);
      tally.destroyForcibly();
    }
  }

  private static void signal(String name, long pid) throws Exception {
    new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor();
  }
}
