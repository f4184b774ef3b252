package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class TallyTest {

  /** A command that fails as only a mistake of ours can. */
  @Command(name = "broken")
  static final class Broken implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new IllegalStateException("a state nobody thought of");
    }
  }

  @Test
  void aBugOfOursEndsWithSeventyAndAsksForAReport() {
    StringWriter text = new StringWriter();
    CommandLine line = Tally.commandLine(new Interruption()).addSubcommand(new Broken());
    int code = line.setErr(new PrintWriter(text, true)).execute("broken");
    assertThat(code).isEqualTo(70);
    assertThat(text.toString()).contains("bug in tally").contains("a state nobody thought of");
  }

  @Test
  void withoutACommandTheCommandsAreListed() {
    CommandRun none = CommandRun.of();
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.output()).contains("Commands:").contains("Name a command");
    CommandRun help = CommandRun.of("help", "simulate");
    assertThat(help.code()).isZero();
    assertThat(help.output()).contains("Usage: tally simulate");
  }

  @Test
  void aShortenedScenarioNameIsCompleted() {
    CommandRun ran = CommandRun.of("run", "quickstart");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("did you mean scenarios/quickstart.yaml?");
  }

  @Test
  void theLauncherSaysWhichJdkItNeedsWhereItFindsNone(@TempDir Path folder) throws Exception {
    // No machine has this JDK, so the search behaves as on one without any.
    String launcher = Files.readString(Path.of("tally")).replace("least=21", "least=9999");
    assertThat(launcher).contains("least=9999");
    Path copy = Files.writeString(folder.resolve("tally"), launcher);
    Process process =
        new ProcessBuilder(List.of("bash", copy.toString())).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(said).contains("needs a JDK of version 9999").contains("JAVA_HOME");
  }
}
