package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine;
import tallystick.cli.exit.Interruption;

/**
 * {@code docs/commands.md} is what the command line says of itself; {@code -Dupdate-reference}
 * writes it anew.
 */
class CommandReferenceTest {
  private static final Path FILE = Path.of("docs/commands.md");
  private static final Set<String> OF_EVERY_COMMAND = Set.of("--help", "--version");
  private static final String HEAD =
      """
      # Commands

      Every command with its options, as `./tally COMMAND --help` shows them. This page is made \
      from the program and
      compared with it by a test: `mvn test -Dtest=CommandReferenceTest -Dupdate-reference` \
      writes it anew. What the exit codes
      mean: [in a pipeline](ci.md#what-the-exit-code-decides).

      """;

  @Test
  void thePageIsWhatTheCommandLineSays() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    List<CommandSpec> commands = commands(Tally.commandLine(new Interruption()));
    page.append(
        commands.stream()
            .map(CommandReferenceTest::name)
            .map(name -> "[" + name + "](#" + name.replace(' ', '-') + ")")
            .collect(Collectors.joining(" · ", "", "\n")));
    commands.forEach(command -> append(page, command));
    if (System.getProperty("update-reference") != null) {
      Files.writeString(FILE, page);
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=CommandReferenceTest -Dupdate-reference writes it", FILE)
        .isEqualTo(page.toString());
  }

  /** Those that do something, each once. */
  private static List<CommandSpec> commands(CommandLine line) {
    List<CommandSpec> found = new ArrayList<>();
    for (CommandLine one : line.getSubcommands().values()) {
      found.addAll(
          one.getSubcommands().isEmpty() ? List.of(one.getCommandSpec()) : commands(one));
    }
    return found.stream().filter(one -> !one.name().equals("help")).toList();
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName(" ").replaceFirst("^tally ", "");
  }

  private static void append(StringBuilder page, CommandSpec command) {
    page.append("\n## ").append(name(command)).append("\n\n");
    page.append(String.join(" ", words(command.usageMessage().description()))).append("\n\n");
    page.append("| | |\n|---|---|\n");
    Help help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
    Help.IParamLabelRenderer labels = help.createDefaultParamLabelRenderer();
    for (PositionalParamSpec one : command.positionalParameters()) {
      row(page, help.createDefaultParameterRenderer().render(one, labels, help.colorScheme()));
    }
    for (OptionSpec one : command.options()) {
      if (!one.hidden() && !OF_EVERY_COMMAND.contains(one.longestName())) {
        row(page, help.createDefaultOptionRenderer().render(one, labels, help.colorScheme()));
      }
    }
    List<String> examples =
        String.join("\n", words(command.usageMessage().footer()))
            .replaceAll(" \\\\\n +", " ")
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("./tally "))
            .toList();
    page.append("\n```text\n").append(String.join("\n", examples)).append("\n```\n");
  }

  /** Rows of picocli's table: a mark, the short name, a comma, the long name, the description. */
  private static void row(StringBuilder page, Text[][] rows) {
    String meaning =
        Arrays.stream(rows)
            .map(row -> row[row.length - 1].toString().strip())
            .collect(Collectors.joining(" "));
    String label = (rows[0][1].toString() + rows[0][2] + " " + rows[0][3]).strip();
    page.append("| `").append(label).append("` | ").append(meaning.replace("|", "\\|"))
        .append(" |\n");
  }

  private static List<String> words(String[] template) {
    return Arrays.stream(template)
        .map(one -> Ansi.OFF.string(String.format(Locale.ROOT, one)))
        .toList();
  }
}
