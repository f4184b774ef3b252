package tallystick.cli.help;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import tallystick.answer.words.CommandText;
import tallystick.scenario.TableLines;

/** What stands under the help of each command: lines that can be typed as they are. */
public final class Examples {
  private static final String HEADING = "%nExamples:%n";

  /** Command → what follows its name. */
  private static final Map<String, List<String>> OF_COMMANDS = read();

  private Examples() {}

  /** Each line of the file is a command, a colon and an example. */
  private static Map<String, List<String>> read() {
    return TableLines.of(Examples.class, "examples.txt").stream()
        .map(line -> line.split(": ?", 2))
        .collect(
            Collectors.groupingBy(
                line -> line[0], Collectors.mapping(line -> line[1], Collectors.toList())));
  }

  /**
   * Adds the examples to a command, and to those below it, that have none of their own.
   *
   * @param columns of the terminal
   */
  public static CommandLine in(CommandLine line, int columns) {
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    String name = line.getCommandSpec().qualifiedName();
    List<String> examples = OF_COMMANDS.getOrDefault(name, List.of());
    if (usage.footer().length == 0 && !examples.isEmpty()) {
      usage.footerHeading(HEADING);
      usage.footer(
          examples.stream()
              .map(example -> "./" + name + " " + example)
              // The library would break a full line.
              .flatMap(example -> CommandText.lines("  ", example, columns - 1).stream())
              .toArray(String[]::new));
    }
    line.getSubcommands().values().forEach(below -> in(below, columns));
    return line;
  }
}
