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

  private static final Set<String> NO_METRICS =
      Set.of("bool", "on", "ignoring", "group_left", "group_right", "atan2");

  /** Of parentheses, calls, right operands and signs: who walks a tree takes a frame for each. */
  private static final int MOST_LEVELS = 200;

  /** In all: a chain of them is a tree as deep as the chain is long. */
  private static final int MOST_OPERATORS = 1000;

  private final TokenCursor words;
  private int levels;
  private int operators;

  private PromqlParser(TokenCursor words) {
    this.words = words;
  }

  /**
   * The expression of a text.
   *
   * @throws NotUnderstoodException for constructs that Prometheus reads and this does not
   * @throws PromqlException if the text is not PromQL, with the place
   */
  public static Expression parse(String text) {
    PromqlParser parser = new PromqlParser(new TokenCursor(text));
    Expression expression = parser.binary(0);
    Token rest = parser.words.peek();
    if (rest.kind() != Token.Kind.END) {
      throw new PromqlException("unexpected " + TokenCursor.shown(rest), rest.at());
    }
    return expression;
  }

  private Expression binary(int weakest) {
    bound(++levels, MOST_LEVELS, "levels of nesting", words.peek());
    Expression left = signed();
    while (true) {
      Token operator = words.peek();
      String word = operatorWord(operator);
      int level = Operators.level(word);
      if (level < weakest) {
        levels--;
        return left;
      }
      bound(++operators, MOST_OPERATORS, "operators", operator);
      words.skip();
      Matching matching = matching(word);
      Expression right = binary(Operators.isRightAssociative(word) ? level : level + 1);
      left = new Expression.BinaryOperation(word, left, right, matching, operator.at());
      TypeCheck.operation((Expression.BinaryOperation) left);
    }
  }

  private static void bound(int count, int most, String what, Token at) {
    if (count > most) {
      throw new NotUnderstoodException("more than " + most + " " + what, at.at());
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
    Token sign = words.peek();
    if (sign.isSymbol("-") || sign.isSymbol("+")) {
      words.skip();
      Expression operand = binary(Operators.SIGN_LEVEL + 1);
      TypeCheck.sign(operand, sign.at());
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
      Token token = words.peek();
      if (token.isSymbol("[")) {
        expression = range(expression, token);
      } else if (token.isWord("offset")) {
        words.skip();
        long millis = words.offsetMillis();
        expression = timed(expression, t -> later(t, millis, token), token);
      } else if (token.isSymbol("@")) {
        words.skip();
        long millis = words.momentMillis();
        expression = timed(expression, t -> fixed(t, millis, token), token);
      } else {
        return expression;
      }
    }
  }

  private static Timing later(Timing timing, long offsetMillis, Token token) {
    if (timing.offsetMillis() != 0) {
      throw new PromqlException("offset stands there twice", token.at());
    }
    return new Timing(offsetMillis, timing.fixed(), timing.fixedMillis());
  }

  private static Timing fixed(Timing timing, long momentMillis, Token token) {
    if (timing.fixed()) {
      throw new PromqlException("@ stands there twice", token.at());
    }
    return new Timing(timing.offsetMillis(), true, momentMillis);
  }

  private Expression range(Expression expression, Token bracket) {
    words.skip();
    long millis = words.durationMillis();
    if (words.peek().isSymbol(":")) {
      words.skip();
      boolean named = !words.peek().isSymbol("]");
      long step = named ? words.durationMillis() : 0;
      if (millis <= 0 || named && step <= 0) {
        throw new PromqlException("a range and its step must be above 0", bracket.at());
      }
      words.expect("]");
      TypeCheck.expect(Type.INSTANT_VECTOR, expression, "subquery");
      return new Expression.Subquery(expression, millis, step, Timing.PLAIN, bracket.at());
    }
    words.expect("]");
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

  private Expression primary() {
    Token token = words.take();
    return switch (token.kind()) {
      case NUMBER -> new Expression.NumberLiteral(PromqlNumber.read(token), token.at());
      case STRING -> new Expression.StringLiteral(token.text(), token.at());
      case WORD -> word(token);
      case SYMBOL -> symbol(token);
      case DURATION -> {
        words.back();
        yield new Expression.NumberLiteral(words.durationMillis() / 1e3, token.at());
      }
      case END -> throw new PromqlException("the expression ends too early", token.at());
    };
  }

  private Expression symbol(Token token) {
    if (token.isSymbol("(")) {
      Expression inner = binary(0);
      words.expect(")");
      return new Expression.Parentheses(inner, token.at());
    }
    if (token.isSymbol("{")) {
      words.back();
      return selector("", token.at());
    }
    throw new PromqlException("unexpected " + TokenCursor.shown(token), token.at());
  }

  private Expression word(Token token) {
    String word = token.text();
    String lower = word.toLowerCase(Locale.ROOT);
    boolean called = words.peek().isSymbol("(");
    boolean grouped = words.peek().isWord("by") || words.peek().isWord("without");
    if (Signatures.AGGREGATIONS.contains(lower) && (called || grouped)) {
      return aggregation(lower, token.at());
    }
    if (called) {
      Expression.Call call = new Expression.Call(word, arguments(), token.at());
      TypeCheck.call(call);
      return call;
    }
    if (TokenCursor.isNumber(token)) {
      double value = lower.equals("inf") ? Double.POSITIVE_INFINITY : Double.NaN;
      return new Expression.NumberLiteral(value, token.at());
    }
    if (NO_METRICS.contains(lower)) {
      throw new PromqlException("unexpected " + TokenCursor.shown(token), token.at());
    }
    return selector(word, token.at());
  }

  private Expression aggregation(String operator, int at) {
    Grouping grouping = words.peek().isSymbol("(") ? Grouping.NONE : grouping();
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
    if (expected == 2) {
      boolean isText = operator.equals("count_values");
      TypeCheck.expect(isText ? Type.STRING : Type.SCALAR, arguments.getFirst(), operator);
    }
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
    boolean without = words.peek().isWord("without");
    if (!without && !words.peek().isWord("by")) {
      return Grouping.NONE;
    }
    words.skip();
    return new Grouping(words.labelNames(), without);
  }

  private List<Expression> arguments() {
    words.expect("(");
    List<Expression> arguments = new ArrayList<>();
    if (words.peek().isSymbol(")")) {
      words.skip();
      return arguments;
    }
    arguments.add(binary(0));
    while (words.peek().isSymbol(",")) {
      words.skip();
      arguments.add(binary(0));
    }
    words.expect(")");
    return arguments;
  }

  private Matching matching(String operator) {
    boolean returnsBool = words.peek().isWord("bool");
    if (returnsBool) {
      if (!Operators.isComparison(operator)) {
        throw new PromqlException("bool fits only a comparison", words.peek().at());
      }
      words.skip();
    }
    boolean on = words.peek().isWord("on");
    if (!on && !words.peek().isWord("ignoring")) {
      return new Matching(returnsBool, false, List.of(), Cardinality.ONE_TO_ONE, List.of());
    }
    words.skip();
    List<String> labels = words.labelNames();
    boolean left = words.peek().isWord("group_left");
    if (!left && !words.peek().isWord("group_right")) {
      return new Matching(returnsBool, on, labels, Cardinality.ONE_TO_ONE, List.of());
    }
    Token group = words.take();
    if (Operators.isSet(operator)) {
      throw new PromqlException("no grouping with " + operator, group.at());
    }
    List<String> include = words.peek().isSymbol("(") ? words.labelNames() : List.of();
    if (on && include.stream().anyMatch(labels::contains)) {
      throw new PromqlException("a label is matched on and copied at once", group.at());
    }
    return new Matching(
        returnsBool, on, labels, left ? Cardinality.GROUP_LEFT : Cardinality.GROUP_RIGHT, include);
  }

  private Expression selector(String metric, int at) {
    List<LabelMatcher> matchers = new ArrayList<>();
    if (!metric.isEmpty()) {
      matchers.add(LabelMatcher.equal(Labels.NAME, metric));
    }
    if (words.peek().isSymbol("{")) {
      words.skip();
      while (!words.peek().isSymbol("}")) {
        matchers.add(words.matcher());
        if (!words.peek().isSymbol("}")) {
          words.expect(",");
        }
      }
      words.skip();
    }
    if (!metric.isEmpty()
        && matchers.stream().skip(1).anyMatch(each -> each.label().equals(Labels.NAME))) {
      throw new PromqlException("the metric has two names", at);
    }
    if (matchers.stream().allMatch(matcher -> matcher.accepts(Labels.EMPTY))) {
      throw new PromqlException("a selector must have a matcher that is not empty", at);
    }
    return new Expression.VectorSelector(matchers, Timing.PLAIN, at);
  }
}
