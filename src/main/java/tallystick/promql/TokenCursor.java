package tallystick.promql;

import java.util.ArrayList;
import java.util.List;

/** The words of an expression, read one after the other, and the small things made of them. */
final class TokenCursor {
  /** A time after {@code @} may lie so far from 1970 that a duration can still be taken off it. */
  private static final double MOST_MOMENT_MILLIS = 1e18;

  /** Prometheus keeps nanoseconds in 64 bits. */
  private static final double MOST_DURATION_MILLIS = Long.MAX_VALUE / 1e6;

  private final List<Token> tokens;
  private int position;

  TokenCursor(String text) {
    this.tokens = PromqlLexer.tokens(text);
  }

  void skip() {
    position++;
  }

  void back() {
    position--;
  }

  Token peek() {
    return tokens.get(position);
  }

  Token take() {
    Token token = peek();
    if (token.kind() != Token.Kind.END) {
      position++;
    }
    return token;
  }

  void expect(String symbol) {
    Token token = take();
    if (!token.isSymbol(symbol)) {
      throw new PromqlException("expected " + symbol + ", found " + shown(token), token.at());
    }
  }

  static String shown(Token token) {
    return token.kind() == Token.Kind.END ? "the end" : "\"" + token.text() + "\"";
  }

  /** The time after {@code @}, in seconds; start() and end() belong to range queries. */
  long momentMillis() {
    boolean negative = peek().isSymbol("-");
    position += negative ? 1 : 0;
    Token token = take();
    if (token.isWord("start") || token.isWord("end")) {
      throw new NotUnderstoodException("@ " + token.text() + "()", token.at());
    }
    if (token.kind() == Token.Kind.DURATION) {
      throw new NotUnderstoodException("@ " + token.text(), token.at());
    }
    if (token.kind() != Token.Kind.NUMBER) {
      throw new PromqlException("expected a time after @, found " + shown(token), token.at());
    }
    double millis = PromqlNumber.read(token) * 1000;
    if (Math.abs(millis) > MOST_MOMENT_MILLIS) {
      throw new PromqlException("a time out of range after @: " + token.text(), token.at());
    }
    return Math.round(negative ? -millis : millis);
  }

  long offsetMillis() {
    if (peek().isSymbol("-")) {
      position++;
      return -durationMillis();
    }
    return durationMillis();
  }

  /** Since 2.54 Prometheus reads a number of seconds as a duration, and the other way round. */
  private static long seconds(Token token) {
    double millis = PromqlNumber.read(token) * 1000;
    if (millis > MOST_DURATION_MILLIS) {
      throw new PromqlException("a duration out of range: " + token.text(), token.at());
    }
    return Math.round(millis);
  }

  long durationMillis() {
    Token token = take();
    if (token.kind() == Token.Kind.NUMBER) {
      if (peek().kind() == Token.Kind.WORD && peek().text().matches("ms|[smhdwy]")) {
        throw new NotUnderstoodException("a blank inside a duration", token.at());
      }
      return seconds(token);
    }
    if (token.isSymbol("+")) {
      throw new NotUnderstoodException("a sign before a duration", token.at());
    }
    if (token.kind() != Token.Kind.DURATION) {
      throw new PromqlException("expected a duration, found " + shown(token), token.at());
    }
    return PromTime.millis(token.text())
        .orElseThrow(
            () -> new PromqlException("no duration, or out of range: " + token.text(), token.at()));
  }

  List<String> labelNames() {
    expect("(");
    List<String> names = new ArrayList<>();
    while (!peek().isSymbol(")")) {
      names.add(groupingLabel());
      if (!peek().isSymbol(")")) {
        expect(",");
      }
    }
    position++;
    return names;
  }

  private String labelName() {
    Token token = take();
    if (token.kind() != Token.Kind.WORD || token.text().contains(":")) {
      throw new PromqlException("expected a label, found " + shown(token), token.at());
    }
    return token.text();
  }

  /**
   * A label in by, on and their like: there inf and nan are numbers, and of the keywords Prometheus
   * forgot without. Prometheus 3 allows quotes and colons.
   */
  private String groupingLabel() {
    Token token = peek();
    if (isNumber(token) || token.isWord("without")) {
      throw new PromqlException("expected a label, found " + shown(token), token.at());
    }
    if (token.kind() == Token.Kind.WORD) {
      return take().text();
    }
    if (token.kind() != Token.Kind.STRING) {
      return labelName();
    }
    if (!token.text().matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
      throw new NotUnderstoodException("a label with other signs than letters", token.at());
    }
    position++;
    return token.text();
  }

  static boolean isNumber(Token token) {
    return token.isWord("inf") || token.isWord("nan");
  }

  LabelMatcher matcher() {
    Token name = peek();
    if (name.kind() == Token.Kind.STRING) {
      throw new NotUnderstoodException("a quoted name in a selector", name.at());
    }
    String label = labelName();
    Token symbol = take();
    for (LabelMatcher.Operator operator : LabelMatcher.Operator.values()) {
      if (symbol.isSymbol(operator.symbol())) {
        Token value = take();
        if (value.kind() != Token.Kind.STRING) {
          throw new PromqlException("expected a string, found " + shown(value), value.at());
        }
        return new LabelMatcher(label, operator, value.text());
      }
    }
    throw new PromqlException("expected =, !=, =~ or !~, found " + shown(symbol), symbol.at());
  }
}
