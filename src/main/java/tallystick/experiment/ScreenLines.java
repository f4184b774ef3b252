package tallystick.experiment;

import java.util.ArrayList;
import java.util.List;

/** The lines of an experiment's first screen: a head, and words filled in beside it. */
public final class ScreenLines {
  private static final int WIDTH = 80;
  private static final int INDENT = 9;

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
