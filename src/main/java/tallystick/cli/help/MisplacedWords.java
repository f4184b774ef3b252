package tallystick.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import picocli.CommandLine;
import tallystick.cli.option.TypedCommand;

/** Words that people type where they do not belong, and what to write instead. */
public final class MisplacedWords {
  private static final Map<String, String> KEYS =
      Map.of(
          "--rate", "workload.rate", "--request-rate", "workload.rate",
          "--concurrency", "workload.concurrency", "--users", "workload.concurrency",
          "--prompt-tokens", "workload.prompt_tokens",
          "--output-tokens", "workload.output_tokens",
          "--duration", "duration", "--warmup", "warmup");

  private static final Set<String> TARGETS =
      Set.of("--url", "--base-url", "--endpoint", "--host", "--server", "--target");

  /** What other tools call a command of this one. */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          Map.entry("benchmark", "run"), Map.entry("bench", "run"), Map.entry("test", "run"),
          Map.entry("load", "run"), Map.entry("start", "run"), Map.entry("profile", "run"),
          Map.entry("analyze", "report"), Map.entry("analyse", "report"),
          Map.entry("show", "report"), Map.entry("diff", "compare"),
          Map.entry("sweep", "capacity"), Map.entry("serve", "engine"),
          Map.entry("mock", "engine"), Map.entry("validate", "plan"), Map.entry("check", "doctor"));

  private MisplacedWords() {}

  /** The command that does what a word of another tool asks for. */
  public static Optional<String> command(String word, CommandLine line) {
    return Optional.ofNullable(COMMANDS.get(word.toLowerCase(Locale.ROOT)))
        .filter(line.getSubcommands()::containsKey)
        .map(meant -> "Did you mean: " + meant + "?");
  }

  /** What to write instead of each; none where the command takes no key, or none was typed. */
  public static List<String> meant(ParameterException mistake) {
    CommandSpec command = mistake.getCommandLine().getCommandSpec();
    List<String> words =
        mistake instanceof UnmatchedArgumentException unmatched
            ? unmatched.getUnmatched()
            : List.of();
    if (mistake instanceof OverwrittenOptionException twice
        && twice.getOverwritten() instanceof OptionSpec option
        && option.longestName().equals("--target") && command.findOption("--set") != null) {
      return List.of("several engines: write " + several(List.of("URL", "URL")));
    }
    List<String> meant = servers(words, command);
    meant.addAll(halfSet(words, command));
    if (meant.isEmpty() && command.findOption("--set") != null) {
      meant.addAll(keys(words, command));
    }
    return meant;
  }

  /** A server's address without the option that says what it is for. */
  private static List<String> servers(List<String> words, CommandSpec command) {
    List<String> urls = words.stream().filter(word -> word.matches("(?i)https?://.*")).toList();
    List<String> meant = new ArrayList<>();
    boolean isBare = !urls.isEmpty() && words.stream().noneMatch(word -> word.startsWith("-"));
    if (isBare && command.findOption("--base") != null) {
      String candidate = urls.size() > 1 ? urls.get(1) : "URL";
      meant.add("write --base " + urls.getFirst() + " --candidate " + candidate);
    } else if (isBare && command.findOption("--target") != null) {
      boolean isOne = urls.size() == 1 || command.findOption("--set") == null;
      meant.add("write " + (isOne ? "--target " + urls.getFirst() : several(urls)));
    }
    return meant;
  }

  private static String several(List<String> urls) {
    return "--set 'targets=[" + String.join(", ", urls) + "]'";
  }

  /** {@code --set KEY VALUE}: the value was then taken for something else. */
  private static List<String> halfSet(List<String> words, CommandSpec command) {
    OptionSpec set = command.findOption("--set");
    if (set == null || words.isEmpty()) {
      return List.of();
    }
    return set.originalStringValues().stream()
        .filter(given -> !given.contains("="))
        .map(key -> key + "=" + valueAfter(key, command))
        .map(whole -> "write --set " + TypedCommand.words(List.of(whole)))
        .toList();
  }

  private static String valueAfter(String key, CommandSpec command) {
    List<String> typed = command.commandLine().getParseResult().originalArgs();
    int value = typed.indexOf(key) + 1;
    return value > 0 && value < typed.size() ? typed.get(value) : "VALUE";
  }

  private static List<String> keys(List<String> words, CommandSpec command) {
    List<String> meant = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String[] typed = words.get(i).split("=", 2);
      String next = i + 1 < words.size() ? words.get(i + 1) : "VALUE";
      String value = typed.length > 1 ? typed[1] : next;
      if (KEYS.containsKey(typed[0])) {
        meant.add(
            typed[0] + " is a key of the scenario: write --set " + KEYS.get(typed[0]) + "="
                + value);
      } else if (TARGETS.contains(typed[0])) {
        meant.add(
            command.findOption("--target") == null
                ? command.name() + " asks no server: ./tally run takes --target " + value
                : "write --target " + value);
      }
    }
    return meant;
  }
}
