package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of records on disk in a heap that does not depend on the number of requests. */
@Tag("stress")
class BigReportTest {
  /** Two million samples of each kind and the timeline's bins; a quarter of it is the JVM's own. */
  private static final String HEAP = "-Xmx256m";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {10_000, 1_000_000})
  void anyNumberOfRequestsFitsIntoOneHeap(int requests) throws Exception {
    CommandRun simulated =
        CommandRun.of(
            "simulate", "bench/big-record/big-record.yaml", "--set", "requests=" + requests,
            "--out", folder.toString(), "--no-report");
    assertThat(simulated.code()).isZero();
    Path run = CommandRun.onlyRun(folder);
    Path output = folder.resolve("output.txt");

    int code = reportInItsOwnProcess(run, output);

    assertThat(code).as(Files.readString(output)).isZero();
    assertThat(CommandRun.analysis(folder).at("/counts/chunks").asLong())
        .isEqualTo(128L * requests);
    assertThat(Files.readString(output)).contains("Ledger: reconciled");
  }

  private static int reportInItsOwnProcess(Path run, Path output) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            List.of(
                java, HEAP, "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                "tallystick.cli.Tally", "report", "--verbose", run.toString()))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start()
        .waitFor();
  }
}
