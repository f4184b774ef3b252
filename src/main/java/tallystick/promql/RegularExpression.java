package tallystick.promql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression as Prometheus reads it, which is Go's syntax, made one of Java's. What Go
 * refuses is refused; what only Go has is not understood.
 */
final class RegularExpression {
  private static final Pattern COUNTS =
      Pattern.compile("\\{(0|[1-9]\\d*)(?:(,)(0|[1-9]\\d*)?)?\\}");
  private static final Pattern GROUP_NAME = Pattern.compile("\\(\\?P?<(\\w+)>");
  private static final Pattern FLAGS = Pattern.compile("\\(\\?([imsU]*(?:-[imsU]+)?)([:)])");
  private static final Pattern PROPERTY =
      Pattern.compile("\\\\([pP])(?:([A-Z])|\\{(\\^?)(\\w+)\\})");
  private static final Pattern NAMED_CLASS =
      Pattern.compile(
          "\\[:(\\^?)(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word"
              + "|xdigit):\\]");
  private static final Pattern CHARACTER_CODE =
      Pattern.compile(
          "\\\\(?:x\\{([0-9a-fA-F]{1,6})\\}|x([0-9a-fA-F]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))");
  private static final String CONTROLS = "afnrtv";
  private static final int[] CONTROL_CODES = {7, 12, 10, 13, 9, 11};
  private static final int MOST_REPEATS = 1000;

  private final String text;
  private final StringBuilder java = new StringBuilder();
  private final Map<String, Integer> names = new LinkedHashMap<>();
  /** For each open group, how often what is in it repeats. */
  private final Deque<Integer> repeats = new ArrayDeque<>();
  private int groups;
  private int position;

  private RegularExpression(String text) {
    this.text = text;
  }

  /**
   * A pattern and the places of its named groups.
   *
   * @param names name → number of the group
   */
  record Read(Pattern pattern, Map<String, Integer> names) {}

  /**
   * Reads an expression.
   *
   * @throws PromqlException if Prometheus would refuse it
   * @throws NotUnderstoodException if Java has nothing like it
   */
  static Read read(String text) {
    RegularExpression expression = new RegularExpression(text);
    expression.alternatives();
    if (expression.position < text.length()) {
      throw expression.fault("a group is closed that is not open");
    }
    try {
      Pattern pattern = Pattern.compile(expression.java.toString(), Pattern.DOTALL);
      return new Read(pattern, expression.names);
    } catch (PatternSyntaxException e) {
      throw expression.unknown();
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /** Java reads and applies groups by recursion, which Prometheus does not. */
  static NotUnderstoodException tooDeep() {
    return new NotUnderstoodException("a regular expression that nests so deeply", 0);
  }

  private PromqlException fault(String what) {
    return new PromqlException("regular expression " + text + ": " + what, 0);
  }

  private NotUnderstoodException unknown() {
    return new NotUnderstoodException("regular expression " + text, 0);
  }

  /** Everything up to the end, or to the parenthesis of a group that is not open here. */
  private void alternatives() {
    repeats.push(1);
    boolean hasOperand = false;
    while (position < text.length()) {
      char next = text.charAt(position);
      if (next == ')' && repeats.size() == 1) {
        return;
      }
      hasOperand = part(next, hasOperand);
    }
    if (repeats.size() > 1) {
      throw fault("a group is not closed");
    }
  }

  /**
   * Takes in one part.
   *
   * @return whether a repetition may follow
   */
  private boolean part(char next, boolean hasOperand) {
    int inner = 1;
    switch (next) {
      case '(' -> {
        return open(hasOperand);
      }
      case '|' -> {
        java.append('|');
        position++;
        return false;
      }
      case ')' -> {
        inner = repeats.pop();
        java.append(')');
        position++;
      }
      case '[' -> characterClass();
      case '\\' -> escape();
      case '*', '+', '?' -> {
        throw hasOperand ? unknown() : fault("nothing stands before " + next);
      }
      case '{' -> {
        if (counts().lookingAt()) {
          throw hasOperand ? unknown() : fault("nothing stands before {");
        }
        literal();
      }
      case '.', '^' -> {
        java.append(next);
        position++;
      }
      case '$' -> {
        java.append("\\z");
        position++;
      }
      default -> literal();
    }
    repeated(inner);
    return true;
  }

  private Matcher counts() {
    return COUNTS.matcher(text).region(position, text.length());
  }

  /** A repetition behind a part, if there is one; a second one behind it is a fault. */
  private void repeated(int inner) {
    int times = 1;
    Matcher counts = counts();
    if (position < text.length() && "*+?".indexOf(text.charAt(position)) >= 0) {
      java.append(text.charAt(position++));
    } else if (counts.lookingAt()) {
      int least = count(counts.group(1));
      boolean open = counts.group(2) != null && counts.group(3) == null;
      int most = counts.group(3) == null ? least : count(counts.group(3));
      if (least > most) {
        throw fault("the counts of " + counts.group() + " are the wrong way round");
      }
      java.append("{").append(least).append(open ? ",}" : "," + most + "}");
      position = counts.end();
      times = Math.max(1, most);
    } else {
      keep(inner);
      return;
    }
    if (position < text.length() && text.charAt(position) == '?') {
      java.append(text.charAt(position++));
    }
    boolean again = position < text.length() && "*+?".indexOf(text.charAt(position)) >= 0;
    if (again || counts().lookingAt()) {
      throw fault("a repetition is repeated");
    }
    keep(inner * times);
  }

  private void keep(int product) {
    if (product > MOST_REPEATS) {
      throw fault("more than " + MOST_REPEATS + " repetitions");
    }
    repeats.push(Math.max(repeats.pop(), product));
  }

  private int count(String digits) {
    int value = digits.length() > 4 ? MOST_REPEATS + 1 : Integer.parseInt(digits);
    if (value > MOST_REPEATS) {
      throw fault("more than " + MOST_REPEATS + " repetitions");
    }
    return value;
  }

  /** Opens a group, or sets flags; then nothing stands there to be repeated. */
  private boolean open(boolean hasOperand) {
    Matcher name = GROUP_NAME.matcher(text).region(position, text.length());
    Matcher flags = FLAGS.matcher(text).region(position, text.length());
    if (name.lookingAt()) {
      if (names.put(name.group(1), ++groups) != null) {
        throw fault("two groups are named " + name.group(1));
      }
      java.append('(');
      position = name.end();
    } else if (flags.lookingAt()) {
      String on = flags.group(1).replaceFirst("-.*", "");
      if (on.contains("U") || on.contains("m")) {
        throw unknown();
      }
      String kept = flags.group(1).replaceAll("[Um]", "").replaceFirst("-$", "");
      java.append("(?").append(kept.replaceFirst("^(\\w*)i", "$1iu")).append(flags.group(2));
      position = flags.end();
      if (flags.group(2).equals(")")) {
        return hasOperand;
      }
    } else if (text.startsWith("(?", position)) {
      throw fault("Prometheus knows no such group");
    } else {
      groups++;
      java.append('(');
      position++;
    }
    repeats.push(1);
    return false;
  }

  private void literal() {
    int letter = text.codePointAt(position);
    append(letter);
    position += Character.charCount(letter);
  }

  private void append(int letter) {
    java.append(String.format(Locale.ROOT, "\\x{%x}", letter));
  }

  private void escape() {
    char letter = escaped();
    switch (letter) {
      case 'A', 'b', 'B', 'z' -> {
        java.append('\\').append(letter);
        position += 2;
      }
      case 'Q' -> {
        int end = text.indexOf("\\E", position);
        int to = end < 0 ? text.length() : end;
        position += 2;
        while (position < to) {
          literal();
        }
        position = end < 0 ? to : end + 2;
      }
      default -> {
        if (!setOfLetters(letter)) {
          append(oneLetter(letter));
        }
      }
    }
  }

  private char escaped() {
    if (position + 1 >= text.length()) {
      throw fault("a backslash at the end");
    }
    return text.charAt(position + 1);
  }

  /** {@code \d} and its like, inside a class and outside. */
  private boolean setOfLetters(char letter) {
    if ("dDwW".indexOf(letter) >= 0) {
      java.append('\\').append(letter);
    } else if (letter == 's') {
      java.append("[\\t\\n\\f\\r ]");
    } else if (letter == 'S') {
      java.append("[^\\t\\n\\f\\r ]");
    } else if (letter == 'p' || letter == 'P') {
      property();
      return true;
    } else {
      return false;
    }
    position += 2;
    return true;
  }

  private void property() {
    Matcher property = PROPERTY.matcher(text).region(position, text.length());
    if (!property.lookingAt()) {
      throw fault("a Unicode class without a name");
    }
    String name = property.group(2) == null ? property.group(4) : property.group(2);
    boolean isNot = property.group(1).equals("P") != "^".equals(property.group(3));
    String known =
        UnicodeClass.of(name).orElseThrow(() -> fault("there is no Unicode class " + name));
    java.append(isNot ? "\\P{" : "\\p{").append(known).append('}');
    position = property.end();
  }

  /** A single character behind a backslash. */
  private int oneLetter(char letter) {
    Matcher code = CHARACTER_CODE.matcher(text).region(position, text.length());
    if (code.lookingAt()) {
      position = code.end();
      int value =
          code.group(3) != null
              ? Integer.parseInt(code.group(3), 8)
              : Integer.parseInt(code.group(1) == null ? code.group(2) : code.group(1), 16);
      if (value > Character.MAX_CODE_POINT) {
        throw fault("there is no character " + code.group());
      }
      return value;
    }
    position += 2;
    int control = CONTROLS.indexOf(letter);
    boolean isSign = letter < 128 && !Character.isLetterOrDigit(letter);
    if (control < 0 && !isSign) {
      throw fault("Prometheus knows no \\" + letter);
    }
    return control < 0 ? letter : CONTROL_CODES[control];
  }

  private void characterClass() {
    position++;
    java.append('[');
    if (text.startsWith("^", position)) {
      java.append('^');
      position++;
    }
    boolean first = true;
    while (position >= text.length() || text.charAt(position) != ']' || first) {
      first = false;
      classItem();
    }
    java.append(']');
    position++;
  }

  private void classItem() {
    if (position >= text.length()) {
      throw fault("a [ is not closed");
    }
    Matcher named = NAMED_CLASS.matcher(text).region(position, text.length());
    if (named.lookingAt()) {
      namedClass(named);
      return;
    }
    if (text.startsWith("[:", position) && text.indexOf(":]", position + 2) > 0) {
      throw fault("there is no class like that in brackets");
    }
    if (text.charAt(position) == '\\' && setOfLetters(escaped())) {
      return;
    }
    int low = classLetter();
    boolean isRange =
        text.startsWith("-", position)
            && position + 1 < text.length()
            && text.charAt(position + 1) != ']';
    append(low);
    if (isRange) {
      position++;
      int high = classLetter();
      if (high < low) {
        throw fault("a range of letters is the wrong way round");
      }
      java.append('-');
      append(high);
    }
  }

  private int classLetter() {
    if (text.charAt(position) == '\\') {
      return oneLetter(escaped());
    }
    int letter = text.codePointAt(position);
    position += Character.charCount(letter);
    return letter;
  }

  private void namedClass(Matcher named) {
    String letters =
        switch (named.group(2)) {
          case "word" -> "\\w";
          case "ascii" -> "\\p{ASCII}";
          case "xdigit" -> "\\p{XDigit}";
          default ->
              "\\p{" + Character.toUpperCase(named.group(2).charAt(0)) + named.group(2).substring(1)
                  + "}";
        };
    java.append(named.group(1).isEmpty() ? letters : "[^" + letters + "]");
    position = named.end();
  }
}
