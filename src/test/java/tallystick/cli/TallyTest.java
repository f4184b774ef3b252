package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
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

  /** A command that fails as only a small machine can. */
  @Command(name = "greedy")
  static final class Greedy implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  @Test
  void anErrorIsNoExceptionOfACommandAndReachesTheEndOfMain() {
    CommandLine line = Tally.commandLine(new Interruption()).addSubcommand(new Greedy());
    assertThatThrownBy(() -> line.execute("greedy")).isInstanceOf(OutOfMemoryError.class);
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
}
