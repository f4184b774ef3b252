package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that cannot go where it is meant to: a reader that left, a full disk, no folder. */
class OutputTroubleTest {
  private static final Path FULL = Path.of("/dev/full");
  private static final String SCENARIO = "scenarios/quickstart.yaml";

  /** Its requests answer in no microsecond, so that a report of it ends with 1. */
  private static final String TOO_SLOW =
      """
      name: slow
      endpoint: completions
      workload: {arrival: poisson, rate: 10, prompt_tokens: 20, output_tokens: 3}
      duration: 3s
      objectives: [{ttft: 1us, share: 0.99}]
      """;

  @TempDir private static Path made;
  private static Path run;
  @TempDir private Path folder;

  @BeforeAll
  static void simulateOnce() throws IOException {
    Path scenario = Files.writeString(made.resolve("slow.yaml"), TOO_SLOW);
    CommandRun ran =
        CommandRun.of(
            "simulate", scenario.toString(), "--no-report", "--out", made.resolve("runs") + "");
    assertThat(ran.code()).as(ran.output()).isZero();
    run = CommandRun.onlyRun(made.resolve("runs"));
  }

  /** The exit code of a command, as a shell sees it, and what it said on its error output. */
  private String shell(String command) throws Exception {
    String java =
        Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
            + System.getProperty("java.class.path") + "' tallystick.cli.Tally ";
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder("bash", "-c", command.replace("tally ", java))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(said).strip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan " + SCENARIO + " --set duration=600s --json", "run --help"})
  void aReaderThatLeavesEndsTheOutputAndNothingElse(String command) throws Exception {
    assertThat(shell("tally " + command + " | head -c 1 > /dev/null; echo ${PIPESTATUS[0]}"))
        .isEqualTo("0");
  }

  @Test
  void aReaderThatLeavesDoesNotChangeTheCodeOfABadRun() throws Exception {
    assertThat(
            shell(
                "tally report " + run + " | head -c 1 > /dev/null;"
                    + " echo ${PIPESTATUS[0]}"))
        .isEqualTo("1");
  }

  @Test
  void anOutputThatIsFullIsTold() throws Exception {
    assertThat(shell("tally run --help > /dev/full; echo $?"))
        .isEqualTo("what was to be printed could not be written\n3");
    assertThat(shell("tally report " + run + " > /dev/full; echo $?"))
        .isEqualTo("what was to be printed could not be written\n1");
  }

  @Test
  void aFullDiskIsASentenceWithTheFileWhereItIsKnown() throws IOException {
    Path export = Files.createDirectory(folder.resolve("export"));
    Files.createSymbolicLink(export.resolve("metrics.om"), FULL);
    for (List<String> command :
        List.of(
            List.of("export", "--format", "openmetrics", "--output", export.toString(),
                run.toString()),
            List.of("compare", run.toString(), run.toString(), "--markdown", FULL.toString()))) {
      CommandRun ran = CommandRun.of(command.toArray(String[]::new));
      assertThat(ran.code()).as(ran.output()).isEqualTo(3);
      assertThat(ran.output())
          .contains("the disk is full: make room on it, or write to another folder");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "simulate"})
  void aFolderThatCannotBeMadeIsASentence(String command) {
    CommandRun ran = CommandRun.of(command, SCENARIO, "--out", "/dev/null/runs");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.output())
        .contains("/dev/null/runs cannot be written", "name another folder with --out");
  }
}
