package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts the text of an expression into words. */
final class PromqlLexer {
  /** Possessive, because a repeated group that may go back takes a stack frame each time. */
  private static final Pattern DURATION =
      Pattern.compile("(?:\\d++(?:ms|[smhdwy])){1,16}+(?![\\w.])");
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?:0[xX][0-9a-fA-F]+|\\d+(?:_\\d+)+\\.?|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "(?!\\w)");
  /** Prometheus 3 reads some of these. */
  private static final Pattern PARTED_NUMBER = Pattern.compile("[0-9.][0-9a-fA-FxX.]*_[0-9]");
  static final Pattern WORD = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern SYMBOL =
      Pattern.compile("=~|!~|==|!=|<=|>=|[-+*/%^<>=(){}\\[\\],:@]");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int position;

  private PromqlLexer(String text) {
    this.text = text;
  }

  static List<Token> tokens(String text) {
    PromqlLexer lexer = new PromqlLexer(text);
    while (lexer.next()) {
      // Every call of next() adds one word or skips what is none.
    }
    lexer.tokens.add(new Token(Token.Kind.END, "", text.length()));
    return lexer.tokens;
  }

  private boolean next() {
    skipBlank();
    if (position == text.length()) {
      return false;
    }
    char first = text.charAt(position);
    if (first == '"' || first == '\'' || first == '`') {
      string(first);
      return true;
    }
    boolean found =
        take(DURATION, Token.Kind.DURATION)
            || take(NUMBER, Token.Kind.NUMBER)
            || !isSubqueryColon(first) && take(WORD, Token.Kind.WORD)
            || take(SYMBOL, Token.Kind.SYMBOL);
    if (!found && !match(PARTED_NUMBER).isEmpty()) {
      throw new NotUnderstoodException("_ in this number", position);
    }
    if (!found) {
      throw new PromqlException("unexpected character '" + first + "'", position);
    }
    return true;
  }

  /** Inside brackets a colon stands between a range and its step; elsewhere it begins a name. */
  private boolean isSubqueryColon(char first) {
    return first == ':' && text.lastIndexOf('[', position) > text.lastIndexOf(']', position);
  }

  private void skipBlank() {
    boolean isComment = false;
    while (position < text.length()) {
      char next = text.charAt(position);
      if (next == '#' && !isComment && isRangeBegin()) {
        throw new PromqlException("a comment before the length of a range", position);
      }
      isComment = isComment ? next != '\n' && next != '\r' : next == '#';
      if (!isComment && !isBlank(next)) {
        return;
      }
      position++;
    }
  }

  private boolean isRangeBegin() {
    return !tokens.isEmpty() && tokens.get(tokens.size() - 1).isSymbol("[");
  }

  private static boolean isBlank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
  }

  private boolean take(Pattern pattern, Token.Kind kind) {
    int start = position;
    String found = match(pattern);
    if (!found.isEmpty()) {
      tokens.add(new Token(kind, found, start));
    }
    return !found.isEmpty();
  }

  private String match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(position, text.length());
    if (!matcher.lookingAt()) {
      return "";
    }
    position = matcher.end();
    return matcher.group();
  }

  private void string(char quote) {
    int start = position++;
    StringBuilder content = new StringBuilder();
    while (position < text.length() && text.charAt(position) != quote) {
      char next = text.charAt(position++);
      if (next == '\n' && quote != '`') {
        throw new PromqlException("string without its closing " + quote, start);
      }
      if (next == '\\' && quote != '`' && position < text.length()) {
        content.appendCodePoint(escaped(quote));
      } else {
        content.append(next);
      }
    }
    if (position == text.length()) {
      throw new PromqlException("string without its closing " + quote, start);
    }
    position++;
    tokens.add(new Token(Token.Kind.STRING, content.toString(), start));
  }

  /** What stands behind a backslash, as Go reads it. */
  private int escaped(char quote) {
    char letter = text.charAt(position++);
    int plain = "abfnrtv\\".indexOf(letter);
    if (plain >= 0) {
      return "\u0007\b\f\n\r\t\u000b\\".charAt(plain);
    }
    if (letter == quote) {
      return quote;
    }
    return switch (letter) {
      case 'x' -> aByte(code(2, 16));
      case 'u' -> character(code(4, 16));
      case 'U' -> character(code(8, 16));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        position--;
        yield aByte(code(3, 8));
      }
      default -> throw new PromqlException("unknown escape \\" + letter, position - 2);
    };
  }

  private long code(int digits, int radix) {
    String written = text.substring(position, Math.min(text.length(), position + digits));
    if (!written.matches((radix == 8 ? "[0-7]{" : "[0-9a-fA-F]{") + digits + "}")) {
      throw new PromqlException("an escape needs " + digits + " digits", position);
    }
    position += digits;
    return Long.parseLong(written, radix);
  }

  /** Above 127 a single byte is half a character, which no text here can hold. */
  private int aByte(long code) {
    if (code > 0xff) {
      throw new PromqlException("an escape above 255", position);
    }
    if (code > 0x7f) {
      throw new NotUnderstoodException("an escape for a part of a character", position);
    }
    return (int) code;
  }

  private int character(long code) {
    boolean isHalf = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
    if (code > Character.MAX_CODE_POINT || isHalf) {
      throw new PromqlException("an escape for no character", position);
    }
    return (int) code;
  }
}
