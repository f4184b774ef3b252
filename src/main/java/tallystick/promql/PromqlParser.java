package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import tallystick.promql.Expression.Cardinality;
import tallystick.promql.Expression.Matching;
import tallystick.promql.Expression.Timing;
import tallystick.promql.Expression.Type;

/** Reads the PromQL that alert and recording rules use. */
public final class PromqlParser {
  private static final Set<String> SET_WORDS = Set.of("and", "or", "unless", "atan2");

  /** A time after {@code @} may lie so far from 1970 that a duration can still be taken off it. */
  private static final double MOST_MOMENT_MILLIS = 1e18;

  private final Nesting nesting = new Nesting();
  private final List<Token> tokens;
  private int position;

  private PromqlParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * The expression of a text.
   *
   * @throws NotUnderstoodException for constructs that Prometheus reads and this does not
   * @throws PromqlException if the text is no PromQL, with the place
   */
  public static Expression parse(String text) {
    PromqlParser parser = new PromqlParser(PromqlLexer.tokens(text));
    Expression expression = parser.binary(0);
    Token rest = parser.peek();
    if (rest.kind() != Token.Kind.END) {
      throw new PromqlException("unexpected " + shown(rest), rest.at());
    }
    return expression;
  }

  private Expression binary(int weakest) {
    nesting.enter(peek());
    Expression left = signed();
    while (true) {
      Token operator = peek();
      String word = operatorWord(operator);
      int level = Operators.level(word);
      if (level < weakest) {
        nesting.leave();
        return left;
      }
      nesting.operator(operator);
      position++;
      Matching matching = matching(word);
      Expression right = binary(Operators.isRightAssociative(word) ? level : level + 1);
      left = new Expression.BinaryOperation(word, left, right, matching, operator.at());
      TypeCheck.operation((Expression.BinaryOperation) left);
    }
  }

  private static String operatorWord(Token token) {
    String word = token.text().toLowerCase(Locale.ROOT);
    boolean isOperator =
        token.kind() == Token.Kind.SYMBOL
            || token.kind() == Token.Kind.WORD && SET_WORDS.contains(word);
    return isOperator ? word : "";
  }

  private Expression signed() {
    Token sign = peek();
    if (sign.isSymbol("-") || sign.isSymbol("+")) {
      position++;
      Expression operand = binary(Operators.SIGN_LEVEL + 1);
      if (sign.isSymbol("+")) {
        return operand;
      }
      return operand instanceof Expression.NumberLiteral number
          ? new Expression.NumberLiteral(-number.value(), sign.at())
          : new Expression.Negation(operand, sign.at());
    }
    return withSuffix(primary());
  }

  private Expression withSuffix(Expression given) {
    Expression expression = given;
    while (true) {
      Token token = peek();
      if (token.isSymbol("[")) {
        expression = range(expression, token);
      } else if (token.isWord("offset")) {
        position++;
        long millis = offsetMillis();
        expression =
            timed(expression, t -> new Timing(millis, t.fixed(), t.fixedMillis()), token);
      } else if (token.isSymbol("@")) {
        position++;
        long millis = momentMillis();
        expression =
            timed(expression, t -> new Timing(t.offsetMillis(), true, millis), token);
      } else {
        return expression;
      }
    }
  }

  private Expression range(Expression expression, Token bracket) {
    position++;
    long millis = duration();
    if (peek().isSymbol(":")) {
      position++;
      long step = peek().isSymbol("]") ? 0 : duration();
      expect("]");
      TypeCheck.expect(Type.INSTANT_VECTOR, expression, "subquery");
      return new Expression.Subquery(expression, millis, step, Timing.PLAIN, bracket.at());
    }
    expect("]");
    if (expression instanceof Expression.VectorSelector selector
        && selector.timing().equals(Timing.PLAIN)
        && millis > 0) {
      return new Expression.RangeSelector(selector, millis, selector.at());
    }
    throw new PromqlException("a range must follow a selector and be above 0", bracket.at());
  }

  private static Expression timed(
      Expression expression, UnaryOperator<Timing> change, Token token) {
    return switch (expression) {
      case Expression.VectorSelector selector -> timed(selector, change);
      case Expression.RangeSelector range ->
          new Expression.RangeSelector(
              timed(range.selector(), change), range.rangeMillis(), range.at());
      case Expression.Subquery subquery ->
          new Expression.Subquery(
              subquery.inner(), subquery.rangeMillis(), subquery.stepMillis(),
              change.apply(subquery.timing()), subquery.at());
      default ->
          throw new PromqlException(
              token.text() + " must follow a selector or a subquery", token.at());
    };
  }

  private static Expression.VectorSelector timed(
      Expression.VectorSelector selector, UnaryOperator<Timing> change) {
    return new Expression.VectorSelector(
        selector.matchers(), change.apply(selector.timing()), selector.at());
  }

  /** The time after {@code @}, in seconds; start() and end() belong to range queries. */
  private long momentMillis() {
    boolean negative = peek().isSymbol("-");
    position += negative ? 1 : 0;
    Token token = take();
    if (token.isWord("start") || token.isWord("end")) {
      throw new NotUnderstoodException("@ " + token.text() + "()", token.at());
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

  private long offsetMillis() {
    if (peek().isSymbol("-")) {
      position++;
      return -duration();
    }
    return duration();
  }

  private long duration() {
    Token token = take();
    if (token.kind() != Token.Kind.DURATION) {
      throw new PromqlException("expected a duration, found " + shown(token), token.at());
    }
    return Durations.millis(token.text())
        .orElseThrow(
            () -> new PromqlException("no duration, or out of range: " + token.text(), token.at()));
  }

  private Expression primary() {
    Token token = take();
    return switch (token.kind()) {
      case NUMBER -> new Expression.NumberLiteral(PromqlNumber.read(token), token.at());
      case STRING -> new Expression.StringLiteral(token.text(), token.at());
      case WORD -> word(token);
      case SYMBOL -> symbol(token);
      case DURATION, END ->
          throw new PromqlException("unexpected " + shown(token), token.at());
    };
  }

  private Expression symbol(Token token) {
    if (token.isSymbol("(")) {
      Expression inner = binary(0);
      expect(")");
      return new Expression.Parentheses(inner, token.at());
    }
    if (token.isSymbol("{")) {
      position--;
      return selector("", token.at());
    }
    throw new PromqlException("unexpected " + shown(token), token.at());
  }

  private Expression word(Token token) {
    String word = token.text();
    String lower = word.toLowerCase(Locale.ROOT);
    boolean called = peek().isSymbol("(");
    boolean grouped = peek().isWord("by") || peek().isWord("without");
    if (Signatures.AGGREGATIONS.contains(lower) && (called || grouped)) {
      return aggregation(lower, token.at());
    }
    if (called) {
      Expression.Call call = new Expression.Call(word, arguments(), token.at());
      TypeCheck.call(call);
      return call;
    }
    if (lower.equals("inf") || lower.equals("nan")) {
      double value = lower.equals("inf") ? Double.POSITIVE_INFINITY : Double.NaN;
      return new Expression.NumberLiteral(value, token.at());
    }
    return selector(word, token.at());
  }

  private Expression aggregation(String operator, int at) {
    Grouping grouping = peek().isSymbol("(") ? Grouping.NONE : grouping();
    List<Expression> arguments = arguments();
    if (grouping == Grouping.NONE) {
      grouping = grouping();
    }
    int expected = Signatures.PARAMETERISED.contains(operator) ? 2 : 1;
    if (arguments.size() != expected) {
      throw new PromqlException(
          operator + " takes " + expected + " argument(s), found " + arguments.size(), at);
    }
    Expression operand = arguments.getLast();
    TypeCheck.expect(Type.INSTANT_VECTOR, operand, operator);
    return new Expression.Aggregation(
        operator,
        arguments.subList(0, expected - 1),
        operand,
        grouping.labels(),
        grouping.without(),
        at);
  }

  private record Grouping(List<String> labels, boolean without) {
    static final Grouping NONE = new Grouping(List.of(), false);
  }

  private Grouping grouping() {
    boolean without = peek().isWord("without");
    if (!without && !peek().isWord("by")) {
      return Grouping.NONE;
    }
    position++;
    return new Grouping(labelNames(), without);
  }

  private List<Expression> arguments() {
    expect("(");
    List<Expression> arguments = new ArrayList<>();
    while (!peek().isSymbol(")")) {
      arguments.add(binary(0));
      if (!peek().isSymbol(")")) {
        expect(",");
      }
    }
    position++;
    return arguments;
  }

  private Matching matching(String operator) {
    boolean returnsBool = peek().isWord("bool");
    if (returnsBool) {
      if (!Operators.isComparison(operator)) {
        throw new PromqlException("bool fits only a comparison", peek().at());
      }
      position++;
    }
    boolean on = peek().isWord("on");
    if (!on && !peek().isWord("ignoring")) {
      return new Matching(returnsBool, false, List.of(), Cardinality.ONE_TO_ONE, List.of());
    }
    position++;
    List<String> labels = labelNames();
    boolean left = peek().isWord("group_left");
    if (!left && !peek().isWord("group_right")) {
      return new Matching(returnsBool, on, labels, Cardinality.ONE_TO_ONE, List.of());
    }
    Token group = take();
    if (Operators.isSet(operator)) {
      throw new PromqlException("no grouping with " + operator, group.at());
    }
    List<String> include = peek().isSymbol("(") ? labelNames() : List.of();
    return new Matching(
        returnsBool, on, labels, left ? Cardinality.GROUP_LEFT : Cardinality.GROUP_RIGHT, include);
  }

  private List<String> labelNames() {
    expect("(");
    List<String> names = new ArrayList<>();
    while (!peek().isSymbol(")")) {
      names.add(labelName());
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

  private Expression selector(String metric, int at) {
    List<LabelMatcher> matchers = new ArrayList<>();
    if (!metric.isEmpty()) {
      matchers.add(LabelMatcher.equal(Labels.NAME, metric));
    }
    if (peek().isSymbol("{")) {
      position++;
      while (!peek().isSymbol("}")) {
        matchers.add(matcher());
        if (!peek().isSymbol("}")) {
          expect(",");
        }
      }
      position++;
    }
    if (matchers.stream().allMatch(matcher -> matcher.accepts(Labels.EMPTY))) {
      throw new PromqlException("a selector must have a matcher that is not empty", at);
    }
    return new Expression.VectorSelector(matchers, 0, at);
  }

  private LabelMatcher matcher() {
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

  private Token peek() {
    return tokens.get(position);
  }

  private Token take() {
    Token token = peek();
    if (token.kind() != Token.Kind.END) {
      position++;
    }
    return token;
  }

  private void expect(String symbol) {
    Token token = take();
    if (!token.isSymbol(symbol)) {
      throw new PromqlException("expected " + symbol + ", found " + shown(token), token.at());
    }
  }

  private static String shown(Token token) {
    return token.kind() == Token.Kind.END ? "the end" : "\"" + token.text() + "\"";
  }
}
