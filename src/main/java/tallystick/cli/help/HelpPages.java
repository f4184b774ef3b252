package tallystick.cli.help;

import java.lang.reflect.Member;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import tallystick.cli.option.WorldOptions;

/**
 * How help is laid out: commands in groups, a command's own options first, and those of an engine
 * that is simulated, or started in a cluster, behind {@value #ENGINE}. No word is broken.
 */
public final class HelpPages {
  /** Shows what an engine can be told that tally starts, in place of the other options. */
  public static final String ENGINE = "--help-engine";

  private static final String OF_ENGINE = "--engine-";

  /** Where descriptions begin; a longer option has a line of its own. */
  private static final int LABEL = 27;

  private static final Set<String> OF_CLUSTER =
      Set.of("--serve-deployment", "--namespace", "--container", "--serve-url", "--kubectl");

  /** Whose own options are those of the engine. */
  private static final String ENGINE_ALONE = "engine";

  private static final List<Map.Entry<String, List<String>>> GROUPS =
      List.of(
          Map.entry("Load",
              List.of("init", "run", "simulate", "plan", "engine", "doctor", "launch", "merge")),
          Map.entry("Find the limit", List.of("capacity", "tune", "fit")),
          Map.entry("Compare", List.of("compare", "regress", "history")),
          Map.entry("Alerts", List.of("study", "alerts", "backtest", "watch", "lint")),
          Map.entry("Look",
              List.of("report", "open", "snapshot", "export", "verify", "completion", "help")));

  private HelpPages() {}

  /**
   * Lays out the help of a command and of those below it.
   *
   * @param columns of the terminal
   */
  public static CommandLine in(CommandLine root, int columns) {
    root.setUsageHelpWidth(columns);
    // Colours of the library's would be taken for a stranger's.
    root.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpPages::groups);
    root.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    root.getSubcommands().values().forEach(HelpPages::layOut);
    return root;
  }

  private static void layOut(CommandLine line) {
    CommandSpec command = line.getCommandSpec();
    command.usageMessage().abbreviateSynopsis(true);
    boolean isApart =
        !command.name().equals(ENGINE_ALONE)
            && command.options().stream().anyMatch(HelpPages::isOfEngine);
    if (isApart) {
      command.addOption(
          OptionSpec.builder(ENGINE).description("options of an engine that tally starts").build());
    }
    Predicate<OptionSpec> shown = isApart ? Predicate.not(HelpPages::isOfEngine) : option -> true;
    line.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> list(help, shown));
    line.getSubcommands().values().forEach(HelpPages::layOut);
  }

  /** Whether a command line, right or wrong, asks what the engine can be told. */
  public static boolean isEngineAsked(CommandLine line, String... words) {
    return line.getCommandSpec().findOption(ENGINE) != null && List.of(words).contains(ENGINE);
  }

  /** What the engine of a command can be told. */
  public static String ofEngine(CommandLine line) {
    return list(line.getHelp(), HelpPages::isOfEngine);
  }

  /** Options in the order of their declaration, the command's own first. */
  private static String list(Help help, Predicate<OptionSpec> wanted) {
    Object own = help.commandSpec().userObject();
    StringBuilder text = new StringBuilder();
    help.commandSpec().options().stream()
        .filter(wanted)
        .filter(option -> !option.hidden())
        .sorted(Comparator.comparing(option -> !isOf(own.getClass(), option)))
        .forEach(option -> append(text, help, option));
    return text.toString();
  }

  private static void append(StringBuilder text, Help help, OptionSpec option) {
    Text[][] rows =
        help.createDefaultOptionRenderer()
            .render(option, help.createDefaultParamLabelRenderer(), help.colorScheme());
    Text[] first = rows[0];
    String label = "  " + ("" + first[1] + first[2] + " " + first[3]).strip();
    text.append(label);
    int at = label.length();
    if (at >= LABEL) {
      text.append('\n');
      at = 0;
    }
    int columns = help.commandSpec().usageMessage().width();
    for (Text[] row : rows) {
      for (String word : row[row.length - 1].toString().split("\\s+")) {
        boolean isFull = at > LABEL && at + 1 + word.length() > columns;
        if (isFull) {
          text.append('\n');
          at = 0;
        }
        int gap = at < LABEL ? LABEL - at : 1;
        text.append(" ".repeat(gap)).append(word);
        at += gap + word.length();
      }
    }
    text.append('\n');
  }

  private static boolean isOf(Class<?> declaring, OptionSpec option) {
    return option.userObject() instanceof Member member && member.getDeclaringClass() == declaring;
  }

  private static boolean isOfEngine(OptionSpec option) {
    return Stream.of(option.names()).anyMatch(name -> name.startsWith(OF_ENGINE))
        || isOf(WorldOptions.class, option)
        || OF_CLUSTER.contains(option.longestName());
  }

  private static String groups(Help help) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, List<String>> group : GROUPS) {
      Map<String, Help> commands = new LinkedHashMap<>();
      group.getValue().forEach(name -> commands.put(name, help.subcommands().get(name)));
      text.append(group.getKey()).append(":\n").append(help.commandList(commands));
    }
    return text.toString();
  }
}
