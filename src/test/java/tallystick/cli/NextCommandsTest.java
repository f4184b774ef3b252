package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.exit.Interruption;

/** What a screen says under NEXT is typed: a shell takes it, and the command it names does. */
class NextCommandsTest {
  private static final String RULES = "reports/study-sample/alerts/rules.yaml";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report reports/sample", "backtest " + RULES + " reports/sample",
        "lint " + RULES + " --run reports/sample", "lint " + RULES,
        "simulate scenarios/quickstart.yaml --set duration=5s --out target/next",
        "capacity scenarios/steady-chat.yaml --rehearse --budget 2s --out target/next"
      })
  void everyCommandUnderNextIsOneThatCanBeTyped(String typed) throws Exception {
    CommandRun run = CommandRun.of(typed.split(" "));
    List<String> next = next(run.output());
    assertThat(next).as(run.output()).isNotEmpty();
    for (String command : next) {
      if (command.contains("./tally ")) {
        List<String> words = words(command.substring(command.indexOf("./tally ")));
        Tally.commandLine(new Interruption())
            .parseArgs(words.toArray(new String[0]));
      }
    }
  }

  /** The lines under NEXT, a command that goes on with a backslash as one. */
  private static List<String> next(String output) {
    List<String> all = new ArrayList<>();
    boolean isNext = false;
    for (String line : output.replace(" \\\n", " ").lines().toList()) {
      isNext = line.startsWith("NEXT ") || isNext && line.startsWith("         ");
      if (isNext) {
        all.add(line.substring(4).strip());
      }
    }
    return all;
  }

  /** The words that a shell hands to the command. */
  private static List<String> words(String command) throws IOException, InterruptedException {
    String script = "tally() { printf '%s\\n' \"$@\"; }\n" + command.replaceFirst("\\./", "");
    Process shell = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(command + "\n" + said).isZero();
    return said.lines().toList();
  }
}
