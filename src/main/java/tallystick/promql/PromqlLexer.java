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
      Pattern.compile("0[xX][0-9a-fA-F]+|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
  /** A colon alone, or before a duration, is the one of a subquery. */
  private static final Pattern WORD =
      Pattern.compile("(?!:(?:[\\s\\]]|\\d+(?:ms|[smhdwy])))[a-zA-Z_:][a-zA-Z0-9_:]*");
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
            || take(WORD, Token.Kind.WORD)
            || take(SYMBOL, Token.Kind.SYMBOL);
    if (!found) {
      throw new PromqlException("unexpected character '" + first + "'", position);
    }
    return true;
  }

  private void skipBlank() {
    boolean isComment = false;
    while (position < text.length()) {
      char next = text.charAt(position);
      isComment = isComment ? next != '\n' : next == '#';
      if (!isComment && !isBlank(next)) {
        return;
      }
      position++;
    }
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
      if (next == '\\' && quote != '`' && position < text.length()) {
        next = escaped(text.charAt(position++));
      }
      content.append(next);
    }
    if (position == text.length()) {
      throw new PromqlException("string without its closing " + quote, start);
    }
    position++;
    tokens.add(new Token(Token.Kind.STRING, content.toString(), start));
  }

  private char escaped(char letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '\\', '"', '\'' -> letter;
      default -> throw new PromqlException("unknown escape \\" + letter, position - 2);
    };
  }
}
