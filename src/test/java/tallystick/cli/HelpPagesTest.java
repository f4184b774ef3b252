package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tallystick.cli.exit.Interruption;

/** Help that fits a screen or two: what a command does first, the simulated engine apart. */
class HelpPagesTest {
  /** Issue of the help: what is longer is not read. */
  private static final int MOST_LINES = 60;

  @Test
  void everyCommandStandsInOneGroup() {
    CommandLine root = Tally.commandLine(new Interruption());
    List<String> lines = root.getUsageMessage().lines().toList();

    assertThat(lines)
        .containsSubsequence("Load:", "Find the limit:", "Compare:", "Alerts:", "Look:");
    for (String command : root.getSubcommands().keySet()) {
      assertThat(lines.stream().filter(line -> line.startsWith("  " + command + " ")))
          .as(command)
          .hasSize(1);
    }
  }

  /** On a terminal the library would colour it, and a writer that lets nothing through shows �. */
  @Test
  void aTerminalGetsPlainHelp() {
    String before = System.getProperty("picocli.ansi");
    System.setProperty("picocli.ansi", "true");
    try {
      for (List<String> words : List.of(List.of("--help"), List.of("run", "--help"))) {
        assertThat(CommandRun.of(words.toArray(String[]::new)).output())
            .contains("Usage")
            .doesNotContain("\u001b", "\ufffd");
      }
      CommandRun mistake = CommandRun.of("run", "x.yaml", "--no-such");
      assertThat(mistake.output()).contains("--no-such").doesNotContain("\u001b", "\ufffd");
    } finally {
      if (before == null) {
        System.clearProperty("picocli.ansi");
      } else {
        System.setProperty("picocli.ansi", before);
      }
    }
  }

  /** Only what is asked for has its options: those of all commands take long to make. */
  @Test
  void theListIsTheSameWithoutTheCommandsOptions() {
    CommandLine whole = Tally.commandLine(new Interruption());
    CommandLine list = Tally.commandLine(new Interruption(), List.of("--help"));
    CommandLine one = Tally.commandLine(new Interruption(), List.of("plan", "x.yaml"));

    assertThat(list.getUsageMessage()).isEqualTo(whole.getUsageMessage());
    assertThat(one.getUsageMessage()).isEqualTo(whole.getUsageMessage());
    assertThat(one.getSubcommands().get("plan").getUsageMessage())
        .isEqualTo(whole.getSubcommands().get("plan").getUsageMessage());
    assertThat(list.getSubcommands().get("plan").getCommandSpec().options()).isEmpty();
    assertThat(one.getSubcommands().get("run").getCommandSpec().options()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"capacity", "tune", "regress", "study", "run", "simulate", "compare"})
  void aPageIsShortAndTheEngineApart(String command) {
    CommandRun help = CommandRun.of(command, "--help");

    assertThat(help.output().lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(help.output().lines().map(String::length)).allMatch(length -> length <= 80);
    assertThat(help.output()).doesNotContain("--engine-");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help-engine", "--help-engine scenarios/quickstart.yaml"})
  void theEngineHasAPageOfItsOwn(String words) {
    CommandRun help = CommandRun.of(("capacity " + words).split(" "));

    assertThat(help.code()).isZero();
    assertThat(help.output()).contains("--max-num-seqs", "--network-us").doesNotContain("--peak");
  }

  /** A name that is broken cannot be copied. */
  @Test
  void noWordIsBroken() {
    for (CommandLine line : Tally.commandLine(new Interruption()).getSubcommands().values()) {
      List<String> words = List.of(line.getUsageMessage().split("\\s+"));
      for (OptionSpec option : line.getCommandSpec().options()) {
        if (words.contains(option.longestName())) {
          for (String text : option.description()) {
            assertThat(words).as(option.longestName()).contains(text.formatted().split("\\s+"));
          }
        }
      }
    }
  }

  @Test
  void aCommandsOwnOptionsStandFirst() {
    String help = CommandRun.of("capacity", "--help").output();

    assertThat(help.indexOf("--peak")).isPositive().isLessThan(help.indexOf("--set"));
  }
}
