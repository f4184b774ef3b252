package tallystick.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tallystick.answer.Invocation;
import tallystick.scenario.PlainText;

/** The command as it was typed, so that a report can say how to run it again; without secrets. */
public final class TypedCommand {
  private static final List<String> SECRET = List.of("key", "header", "token", "auth", "password");

  /** Words of text and of metrics, as in {@code workload.output_tokens}: no secret. */
  private static final Pattern OF_TEXT =
      Pattern.compile("tokens|tokeniz|(first|inter|output)_token");

  private TypedCommand() {}

  /** The words after {@code tally}, as a shell takes them. */
  public static String of(CommandSpec spec) {
    return words(spec.root().commandLine().getParseResult().originalArgs());
  }

  /**
   * The same as an invocation, whose answer can name the next command.
   *
   * @param folder where its files lie, as a user names it; empty where there is none
   */
  public static Invocation invocation(CommandSpec spec, String folder) {
    List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
    List<Invocation.Word> words = new ArrayList<>();
    for (int i = 0; i < typed.size(); i++) {
      String argument = typed.get(i);
      String name = argument.split("=", 2)[0];
      OptionSpec option = spec.findOption(name);
      boolean goesOn =
          option != null && !argument.contains("=") && option.arity().min() > 0
              && i + 1 < typed.size();
      String text = goesOn ? shown(argument) + " " + shown(typed.get(++i)) : shown(argument);
      words.add(new Invocation.Word(option == null ? "" : name, text));
    }
    return new Invocation(words, folder);
  }

  /** These words, as a shell takes them. */
  public static String words(List<String> arguments) {
    return arguments.stream().map(TypedCommand::shown).collect(Collectors.joining(" "));
  }

  // What is set to a secret may be one: only its name stays. Nor is a user in an address kept.
  private static String shown(String argument) {
    String plain = argument.replaceAll("//[^/@\\s]*@", "//…@");
    int value = plain.lastIndexOf('=');
    String named = plain.substring(0, Math.max(0, value)).toLowerCase(Locale.ROOT);
    String name = OF_TEXT.matcher(named).replaceAll("");
    boolean isSecret =
        SECRET.stream().anyMatch(name::contains) && !name.startsWith("--api-key-env");
    String kept = isSecret ? plain.substring(0, plain.indexOf('=')) + "=…" : plain;
    return PlainText.argument(kept);
  }
}
