package tallystick.experiment.engine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command that starts an engine: words, with gaps such as <code>{max_num_seqs}</code>. No shell
 * reads it. Blanks separate words; {@code '…'} keeps everything as it is; in {@code "…"} and
 * outside of quotes a backslash keeps the next character. A gap is filled inside its word, never
 * split; <code>{{name}}</code> is <code>{name}</code> as it stands, and other braces are no gaps.
 */
public final class CommandTemplate {
  private static final String PORT = "port";
  private static final Pattern GAP =
      Pattern.compile("\\{\\{([A-Za-z][\\w-]*)}}|\\{([A-Za-z][\\w-]*)}");

  /** What only a shell understands. */
  private static final Set<String> OF_SHELLS =
      Set.of("|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1", "2>");

  private final String text;
  private final List<String> words;

  private CommandTemplate(String text, List<String> words) {
    this.text = text;
    this.words = words;
  }

  /**
   * A command as it was typed.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static CommandTemplate of(String text) {
    CommandTemplate template = new CommandTemplate(text.strip(), split(text));
    if (template.words.isEmpty()) {
      throw new IllegalArgumentException("the command is empty");
    }
    template.words.stream()
        .filter(OF_SHELLS::contains)
        .findFirst()
        .ifPresent(
            word -> {
              throw new IllegalArgumentException(
                  "no shell reads the command, so " + word
                      + " means nothing in it: put it into a script and name that");
            });
    if (!template.gaps().contains(PORT)) {
      throw new IllegalArgumentException(
          "the command has no {port}: write it where the engine is told its port, for example"
              + " --port {port}");
    }
    return template;
  }

  private static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isWord = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
        isWord = true;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        isWord = true;
      } else if (c == quote && quote != 0) {
        quote = 0;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (isWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        isWord = false;
      } else {
        word.append(c);
        isWord = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("the command has a " + quote + " that is not closed");
    }
    if (isWord) {
      words.add(word.toString());
    }
    return words;
  }

  private Set<String> gaps() {
    return words.stream()
        .flatMap(word -> GAP.matcher(word).results())
        .map(gap -> gap.group(2))
        .filter(Objects::nonNull)
        .map(CommandTemplate::plain)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Settings by the names that gaps have: {@code max-num-seqs} is {@code max_num_seqs}. */
  private static String plain(String name) {
    return name.replace('-', '_');
  }

  /**
   * The settings, if this command has a gap for each of them and for no other, and can be run.
   *
   * @throws IllegalArgumentException if not; names the setting
   */
  public Map<String, String> requireFits(Map<String, String> settings) {
    Map<String, String> given = new TreeMap<>();
    settings.forEach((name, value) -> given.put(plain(name), value));
    Set<String> gaps = gaps();
    for (String gap : gaps) {
      if (!gap.equals(PORT) && !given.containsKey(gap)) {
        throw new IllegalArgumentException(
            "the command asks for {" + gap + "}, which not every run sets: give " + gap
                + "=VALUE to base and candidate alike, or write the value into the command");
      }
    }
    for (String name : given.keySet()) {
      if (name.equals(PORT) || !gaps.contains(name)) {
        throw new IllegalArgumentException(
            name.equals(PORT)
                ? "the port is not a setting: each engine gets a free one"
                : "the command has no {" + name + "}, so the setting " + name
                    + " would change nothing: write --" + name.replace('_', '-') + " {" + name
                    + "} into it");
      }
    }
    requireProgram(fill(given, 1).getFirst());
    return given;
  }

  private static void requireProgram(String program) {
    boolean isThere =
        program.contains(File.separator)
            ? Files.isExecutable(Path.of(program))
            : List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    if (!isThere) {
      throw new IllegalArgumentException(
          "there is no program " + program
              + (program.contains("=") ? ": to set a variable begin with env, as in env A=b" : "")
              + (program.contains(File.separator) || program.contains("=") ? "" : " on the PATH"));
    }
  }

  /** The command's words with its gaps filled. */
  public List<String> fill(Map<String, String> settings, int port) {
    return words.stream()
        .map(
            word ->
                GAP.matcher(word)
                    .replaceAll(gap -> Matcher.quoteReplacement(value(gap, settings, port))))
        .toList();
  }

  private static String value(MatchResult gap, Map<String, String> settings, int port) {
    if (gap.group(1) != null) {
      return "{" + gap.group(1) + "}";
    }
    String name = plain(gap.group(2));
    return name.equals(PORT) ? Integer.toString(port) : settings.get(name);
  }

  @Override
  public String toString() {
    return text;
  }
}
