package tallystick.answer.words;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tallystick.scenario.PlainText;

/** A command that somebody is to type, as a screen shows it. */
public final class CommandText {
  private static final Pattern COMMAND = Pattern.compile("^(\\(cd |\\./tally |promtool )");
  private static final String GOES_ON = " \\";

  /** An option that does not hold its value. */
  private static final Pattern OPTION = Pattern.compile("--?[a-zA-Z][^= ]*");

  private static final int DEEPER = 4; // columns; what goes on is no command of its own

  private CommandText() {}

  /** Whether a text is a command to type. */
  public static boolean isOne(String text) {
    return COMMAND.matcher(text).find();
  }

  /**
   * A command in lines that a shell takes as they stand: a line that goes on ends with a backslash,
   * and what follows is indented. An option stays with its value; a long word begins further left,
   * and none is cut. What it is for follows if there is room.
   *
   * @param text the command; two spaces and {@code #} begin what it is for, as in a shell
   */
  public static List<String> lines(String first, String text, int width) {
    int end = text.indexOf("  # ");
    String command = PlainText.oneLine(end < 0 ? text : text.substring(0, end));
    List<String> lines = new ArrayList<>();
    String line = first;
    boolean isFirst = true;
    for (String piece : pieces(command, width - GOES_ON.length())) {
      if (!isFirst && line.length() + 1 + piece.length() + GOES_ON.length() > width) {
        lines.add(line + GOES_ON);
        int room = width - piece.length() - GOES_ON.length();
        line = " ".repeat(Math.clamp(room, 0, first.length() + DEEPER));
        isFirst = true;
      }
      line += (isFirst ? "" : " ") + piece;
      isFirst = false;
    }
    String purpose = end < 0 ? "" : text.substring(end + 1);
    lines.add(line.length() + purpose.length() <= width ? line + purpose : line);
    return lines;
  }

  /** What is not torn apart: an option with its value, where both have room on one line. */
  private static List<String> pieces(String command, int room) {
    List<String> pieces = new ArrayList<>();
    for (String word : PlainText.arguments(command)) {
      boolean isValue =
          !word.startsWith("-") && !pieces.isEmpty() && OPTION.matcher(pieces.getLast()).matches();
      if (isValue && pieces.getLast().length() + 1 + word.length() <= room) {
        pieces.add(pieces.removeLast() + " " + word);
      } else {
        pieces.add(word);
      }
    }
    return pieces;
  }
}
