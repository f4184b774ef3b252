package tallystick.report.writing;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.PlainText;

/** Text broken into lines of a limited width. */
public final class Lines {
  private Lines() {}

  /**
   * Words filled into lines; a word too long for a line is cut.
   *
   * @param first what the first line begins with; later lines are indented as far
   */
  static List<String> wrap(String first, String text, int width) {
    List<String> lines = new ArrayList<>();
    String indent = " ".repeat(first.length());
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : PlainText.oneLine(text).split(" ")) {
      String rest = word;
      if (!empty && line.length() + 1 + rest.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        empty = true;
      }
      while (line.length() + rest.length() + (empty ? 0 : 1) > width) {
        int room = width - line.length();
        lines.add(line + rest.substring(0, room));
        rest = rest.substring(room);
        line = new StringBuilder(indent);
      }
      line.append(empty ? "" : " ").append(rest);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }

  /** One line of at most {@code limit} characters, its end marked where it was cut. */
  static String cut(String text, int limit) {
    String line = PlainText.oneLine(text);
    return line.length() <= limit ? line : line.substring(0, limit - 3) + "...";
  }

  /** The same, cut inside: names that begin alike differ at their end. */
  static String cutInside(String text, int limit) {
    String line = PlainText.oneLine(text);
    int end = (limit - 3) / 2;
    return line.length() <= limit
        ? line
        : line.substring(0, limit - 3 - end) + "..." + line.substring(line.length() - end);
  }

  /** Pieces joined by a separator into lines, broken between pieces where they fit a line. */
  static List<String> join(String first, List<String> pieces, int width) {
    List<String> lines = new ArrayList<>();
    String separator = "   ";
    String indent = " ".repeat(first.length());
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String piece : pieces) {
      String text = PlainText.oneLine(piece);
      if (!empty && line.length() + separator.length() + text.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        empty = true;
      }
      if (empty && indent.length() + text.length() > width) {
        lines.addAll(wrap(line.toString(), text, width));
        line = new StringBuilder(indent);
        continue;
      }
      line.append(empty ? "" : separator).append(text);
      empty = false;
    }
    if (!empty) {
      lines.add(line.toString());
    }
    return lines;
  }
}
