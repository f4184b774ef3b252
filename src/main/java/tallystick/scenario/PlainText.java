package tallystick.scenario;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Text of strangers, made fit to be shown: a model's name or an error's body may hold characters
 * that steer a terminal, turn the direction of writing, or are not allowed in XML and YAML.
 */
public final class PlainText {
  private static final int MOST_NAME_CHARS = 300;
  private static final Pattern ARGUMENT = Pattern.compile("(?:\\\\.|'[^']*'|[^ ])+");

  private PlainText() {}

  /** The text on one line: each stretch of blanks one blank, unprintable characters left out. */
  public static String oneLine(String text) {
    return printable(text.replaceAll("[\\s\u0085\u2028\u2029]+", " ")).strip();
  }

  /** A name on one line and of a length that a reader can take in. */
  public static String name(String text) {
    if (text.length() <= MOST_NAME_CHARS && isPlain(text)) {
      return text;
    }
    String line = printable(text.replaceAll("[\\t\\n\\r\u0085\u2028\u2029]", " "));
    return line.length() <= MOST_NAME_CHARS ? line : line.substring(0, MOST_NAME_CHARS) + "…";
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** One argument of a command as a shell takes it: quoted where it holds more than a word. */
  public static String argument(Object text) {
    String word = text.toString();
    return word.matches("[\\p{Alnum}…_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** A command's words; one that is quoted stays whole. */
  public static List<String> arguments(String command) {
    return ARGUMENT.matcher(command).results().map(MatchResult::group).toList();
  }

  /** The text without its unprintable characters; tabs and line feeds stay. */
  public static String printable(String text) {
    if (text.codePoints().allMatch(PlainText::isPrintable)) {
      return text;
    }
    StringBuilder printable = new StringBuilder();
    text.codePoints().filter(PlainText::isPrintable).forEach(printable::appendCodePoint);
    return printable.toString();
  }

  /** Whether a character does nothing but stand there; a tab and a line feed count as such. */
  public static boolean isPrintable(int character) {
    if (character == '\n' || character == '\t') {
      return true;
    }
    boolean isNoCharacter =
        (character & 0xfffe) == 0xfffe || character >= 0xfdd0 && character <= 0xfdef;
    return !isNoCharacter
        && switch (Character.getType(character)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              false;
          default -> true;
        };
  }
}
