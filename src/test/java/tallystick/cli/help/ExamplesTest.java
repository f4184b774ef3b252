package tallystick.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tallystick.cli.CommandRun;
import tallystick.cli.ShellWords;

class ExamplesTest {
  static Stream<CommandLine> commands() {
    return below(CommandRun.line());
  }

  private static Stream<CommandLine> below(CommandLine line) {
    return Stream.concat(
        Stream.of(line), line.getSubcommands().values().stream().flatMap(ExamplesTest::below));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyHelpEndsWithExamplesThatTheCommandLineTakes(CommandLine command) {
    String name = "./" + command.getCommandSpec().qualifiedName();
    String help = command.getUsageMessage();
    assertThat(help).contains("Examples:");
    String shown = help.substring(help.indexOf("Examples:"));
    assertThat(shown).contains(name + " ");
    assertThat(shown.lines()).allMatch(line -> line.length() < 80);
    List<String> examples =
        shown.replaceAll(" \\\\\n +", " ").lines()
            .map(String::strip)
            .filter(text -> text.startsWith("./tally "))
            .toList();
    for (String example : examples) {
      assertThat(example).startsWith(name);
      String typed = example.replaceFirst(" {2,}.*| > .*", "");
      List<String> words = ShellWords.split(typed).getFirst();
      String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
      assertThat(Arrays.stream(arguments)).noneMatch(String::isBlank);
      CommandRun.line().parseArgs(arguments);
    }
  }
}
