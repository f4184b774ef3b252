package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ExamplesTest {
  static List<String> commands() {
    return Tally.commandLine(new Interruption()).getSubcommands().entrySet().stream()
        .filter(command -> command.getValue().getSubcommands().isEmpty())
        .map(Map.Entry::getKey)
        .filter(name -> !name.equals("help"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyHelpEndsWithExamplesThatTheCommandLineTakes(String name) {
    CommandLine line = Tally.commandLine(new Interruption());
    CommandLine command = line.getSubcommands().get(name).setUsageHelpWidth(200);
    String help = command.getUsageMessage();
    assertThat(help).contains("Examples:");
    List<String> examples =
        help.lines().map(String::strip).filter(text -> text.startsWith("./tally ")).toList();
    assertThat(examples).isNotEmpty();
    for (String example : examples) {
      assertThat(example).startsWith("./tally " + name);
      String typed = example.replaceFirst(" {2,}.*| > .*", "");
      List<String> words = ShellWords.split(typed).getFirst();
      String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
      assertThat(Arrays.stream(arguments)).noneMatch(String::isBlank);
      Tally.commandLine(new Interruption()).parseArgs(arguments);
    }
  }
}
