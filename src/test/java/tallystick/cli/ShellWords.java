package tallystick.cli;

import java.util.ArrayList;
import java.util.List;

/** Splits a shell's line into simple commands and words: quotes, comments and operators. */
public final class ShellWords {
  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private StringBuilder word = new StringBuilder();
  private boolean begun;

  private ShellWords() {}

  /** The words of each command of a line; redirections, comments and assignments are left out. */
  public static List<List<String>> split(String line) {
    ShellWords split = new ShellWords();
    split.read(line);
    return split.commands;
  }

  private void read(String line) {
    char quote = 0;
    for (char c : line.toCharArray()) {
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote != 0) {
        word.append(c);
      } else if (c == '\'' || c == '"') {
        quote = c;
        begun = true;
      } else if (c == '#' && !begun) {
        break;
      } else if (";|&()".indexOf(c) >= 0) {
        endCommand();
      } else if (Character.isWhitespace(c)) {
        endWord();
      } else {
        word.append(c);
        begun = true;
      }
    }
    endCommand();
  }

  private void endWord() {
    if (begun) {
      words.add(word.toString());
    }
    word = new StringBuilder();
    begun = false;
  }

  private void endCommand() {
    endWord();
    while (!words.isEmpty() && words.getFirst().matches("[A-Z_]+=.*")) {
      words.removeFirst();
    }
    if (!words.isEmpty() && words.getFirst().equals("do")) {
      words.removeFirst();
    }
    int redirect = words.indexOf(">");
    if (redirect >= 0) {
      words = new ArrayList<>(words.subList(0, redirect));
    }
    if (!words.isEmpty()) {
      commands.add(List.copyOf(words));
    }
    words = new ArrayList<>();
  }
}
