package tallystick.cli.help;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's manual page in the language of {@code man}, from the command's own words. */
final class ManualPage {
  private final CommandSpec command;
  private final Help help;
  private final StringBuilder page = new StringBuilder();

  ManualPage(CommandSpec command) {
    this.command = command;
    this.help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
  }

  String text() {
    String name = command.qualifiedName("-");
    page.append(".TH \"").append(name.toUpperCase(Locale.ROOT)).append("\" \"1\"\n");
    section("NAME");
    String[] description = words(command.usageMessage().description());
    line(name + " - " + (description.length == 0 ? "" : description[0]));
    section("SYNOPSIS");
    line(synopsis());
    section("DESCRIPTION");
    Arrays.stream(description).forEach(this::line);
    arguments();
    commands();
    exitCodes();
    footer();
    return page.toString();
  }

  private String synopsis() {
    return help.synopsis(0).strip().replaceAll("\\s+", " ");
  }

  private void arguments() {
    section("OPTIONS");
    Help.IParamLabelRenderer labels = help.createDefaultParamLabelRenderer();
    for (PositionalParamSpec one : command.positionalParameters()) {
      item(help.createDefaultParameterRenderer().render(one, labels, help.colorScheme()));
    }
    for (OptionSpec one : command.options()) {
      if (!one.hidden()) {
        item(help.createDefaultOptionRenderer().render(one, labels, help.colorScheme()));
      }
    }
  }

  /** Rows of picocli's table: a mark, the short name, a comma, the long name, the description. */
  private void item(Text[][] rows) {
    Text[] first = rows[0];
    page.append(".TP\n");
    line((first[1].toString() + first[2] + " " + first[3]).strip());
    for (Text[] row : rows) {
      line(row[row.length - 1].toString().strip());
    }
  }

  private void commands() {
    if (!command.subcommands().isEmpty()) {
      section("COMMANDS");
      command
          .subcommands()
          .forEach(
              (name, line) ->
                  item(name, words(line.getCommandSpec().usageMessage().description())));
    }
  }

  private void exitCodes() {
    Map<String, String> codes = command.root().usageMessage().exitCodeList();
    section("EXIT STATUS");
    codes.forEach((code, meaning) -> item(code.strip(), new String[] {meaning}));
  }

  private void footer() {
    String[] footer = words(command.usageMessage().footer());
    if (footer.length > 0) {
      section("EXAMPLES");
      page.append(".nf\n");
      Arrays.stream(footer)
          .flatMap(String::lines)
          .filter(one -> !one.isBlank() && !one.equals("Examples:"))
          .forEach(this::line);
      page.append(".fi\n");
    }
  }

  private String[] words(String[] template) {
    return Arrays.stream(template)
        .map(one -> Ansi.OFF.string(String.format(Locale.ROOT, one)))
        .toArray(String[]::new);
  }

  private void section(String title) {
    page.append(".SH \"").append(title).append("\"\n");
  }

  private void item(String label, String[] words) {
    page.append(".TP\n");
    line(label);
    Arrays.stream(words).forEach(this::line);
  }

  /** A line of text: no mark of the language is at its start or inside it. */
  private void line(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-");
    page.append(safe.startsWith(".") || safe.startsWith("'") ? "\\&" : "").append(safe);
    page.append('\n');
  }
}
