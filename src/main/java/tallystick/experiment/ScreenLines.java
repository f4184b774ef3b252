package tallystick.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.scenario.PlainText;

/** The lines of an experiment's first screen: a head, and words filled in beside it. */
public final class ScreenLines {
  private static final int WIDTH = 80;
  private static final int INDENT = 9;

  /** Stands for the experiment's folder until the screen is shown. */
  public static final String FOLDER = "FOLDER";

  /** What the trust in figures of a simulated engine ends with. */
  public static final String SIMULATED = "; a simulated engine: no figure is a real server's";

  /**
   * Whether both sides counted the same in the runs that an answer is made of.
   *
   * @param partly in how many of them the engine does not tell all that would be compared
   */
  public static String compared(long partly, long runs) {
    return partly == 0
        ? "both sides counted the same"
        : "the two sides could not be compared in full"
            + (partly == runs ? "" : " in " + partly + " of them");
  }

  /** Stands for the command as it was typed, without its budget and the folder to resume. */
  public static final String COMMAND = "COMMAND";

  private static final Pattern COMMANDS = Pattern.compile("^.{9}(\\./tally \\w+ |promtool )");
  private static final Pattern SIMULATOR = Pattern.compile("simulated|tallystick\\.sim");

  private final List<String> lines = new ArrayList<>();

  /** A head and its words, in as many lines as they take. */
  public void add(String head, String words) {
    StringBuilder line = new StringBuilder(head);
    while (line.length() < INDENT) {
      line.append(' ');
    }
    boolean isFresh = true;
    for (String word : words.split(" ")) {
      if (!isFresh && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(INDENT));
        isFresh = true;
      }
      line.append(isFresh ? "" : " ").append(word);
      isFresh = false;
    }
    lines.add(line.toString());
  }

  /**
   * A screen with the experiment's folder where it says {@code FOLDER}, on a line of its own where
   * it does not fit; a command that is broken there goes on with a backslash.
   */
  public static String in(String folder, String screen) {
    return screen
        .lines()
        .map(line -> named(line, folder))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String named(String line, String folder) {
    String named = line.replace(FOLDER, PlainText.argument(folder));
    if (named.length() > WIDTH && COMMANDS.matcher(line).find()) {
      return command(named);
    }
    int before = line.contains(FOLDER) ? line.lastIndexOf(' ', line.indexOf(FOLDER)) : -1;
    return named.length() <= WIDTH || before < INDENT
        ? named
        : line.substring(0, before) + "\n" + " ".repeat(INDENT)
            + line.substring(before + 1).replace(FOLDER, PlainText.argument(folder));
  }

  /** A command in lines that a shell takes as they stand; a long word begins further left. */
  private static String command(String named) {
    StringBuilder text = new StringBuilder();
    String line = named.substring(0, INDENT);
    boolean isFresh = true;
    for (String word : PlainText.arguments(named.substring(INDENT))) {
      if (!isFresh && line.length() + 1 + word.length() + 2 > WIDTH) {
        text.append(line).append(" \\\n");
        line = " ".repeat(Math.clamp(WIDTH - word.length() - 2, 0, INDENT));
        isFresh = true;
      }
      line += (isFresh ? "" : " ") + word;
      isFresh = false;
    }
    return text.append(line).toString();
  }

  /** The same by the words for an engine; nothing where a real one may have run. */
  public static String simulated(String engine) {
    return SIMULATOR.matcher(engine).find() ? SIMULATED : "";
  }

  /** A line as it is. */
  public void add(String line) {
    lines.add(line);
  }

  /** How many lines there are. */
  public int count() {
    return lines.size();
  }

  /** All lines. */
  public String text() {
    return String.join("\n", lines) + "\n";
  }
}
