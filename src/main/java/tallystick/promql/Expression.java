package tallystick.promql;

import java.util.List;

/** A PromQL expression as a tree; {@code at} is its offset in the text it was read from. */
public sealed interface Expression {

  /** Offset of the construct's first character (an operator's, for a binary operation). */
  int at();

  /** What an expression is worth when evaluated. */
  enum Type {
    SCALAR,
    INSTANT_VECTOR,
    RANGE_VECTOR,
    STRING
  }

  /** A number. */
  record NumberLiteral(double value, int at) implements Expression {}

  /** A quoted text. */
  record StringLiteral(String value, int at) implements Expression {}

  /**
   * A selector of series.
   *
   * @param matchers conditions, the metric name's first if it has one
   * @param timing when it looks
   */
  record VectorSelector(List<LabelMatcher> matchers, Timing timing, int at)
      implements Expression {
    public VectorSelector {
      matchers = List.copyOf(matchers);
    }

    /** The same with another matcher in the place of one. */
    public VectorSelector with(LabelMatcher old, LabelMatcher other) {
      return new VectorSelector(
          matchers.stream().map(each -> each == old ? other : each).toList(), timing, at);
    }

    /** The same of another metric. */
    public VectorSelector renamed(String name) {
      return matchers.stream()
          .filter(matcher -> matcher.label().equals(Labels.NAME))
          .findFirst()
          .map(matcher -> with(matcher, LabelMatcher.equal(Labels.NAME, name)))
          .orElse(this);
    }

    /** The metric it names, empty if it names none. */
    public String metric() {
      return matchers.stream()
          .filter(matcher -> matcher.label().equals(Labels.NAME))
          .filter(matcher -> matcher.operator() == LabelMatcher.Operator.EQUAL)
          .map(LabelMatcher::value)
          .findFirst()
          .orElse("");
    }
  }

  /** A selector with a range, for example {@code x[5m]}. */
  record RangeSelector(VectorSelector selector, long rangeMillis, int at) implements Expression {}

  /**
   * An expression evaluated at every step of a range, for example {@code (x > 1)[1h:1m]}.
   *
   * @param stepMillis 0 leaves it to Prometheus, which takes its evaluation interval
   */
  record Subquery(Expression inner, long rangeMillis, long stepMillis, Timing timing, int at)
      implements Expression {}

  /**
   * When a selector or a subquery looks.
   *
   * @param offsetMillis how far into the past of its moment; negative looks ahead
   * @param fixed whether {@code @} fixes its moment; otherwise that is the evaluation's
   * @param fixedMillis the fixed moment
   */
  record Timing(long offsetMillis, boolean fixed, long fixedMillis) {
    /** At the evaluation's own time. */
    public static final Timing PLAIN = new Timing(0, false, 0);

    /** The moment it looks at. */
    public long at(long evaluationMillis) {
      return (fixed ? fixedMillis : evaluationMillis) - offsetMillis;
    }
  }

  /** A call of a function. */
  record Call(String function, List<Expression> arguments, int at) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * An aggregation over series.
   *
   * @param operator for example {@code sum}
   * @param parameter none, or the one of {@code topk}, {@code quantile} and their like
   * @param without whether the grouping labels are dropped instead of kept
   */
  record Aggregation(
      String operator,
      List<Expression> parameter,
      Expression operand,
      List<String> grouping,
      boolean without,
      int at)
      implements Expression {
    public Aggregation {
      parameter = List.copyOf(parameter);
      grouping = List.copyOf(grouping);
    }

    /** The same over other labels. */
    public Aggregation by(List<String> labels) {
      return new Aggregation(operator, parameter, operand, labels, without, at);
    }

    /** The same of another operand. */
    public Aggregation of(Expression other) {
      return new Aggregation(operator, parameter, other, grouping, without, at);
    }
  }

  /** Two operands and what stands between them. */
  record BinaryOperation(
      String operator, Expression left, Expression right, Matching matching, int at)
      implements Expression {
    /** Whether it compares. */
    public boolean isComparison() {
      return Operators.isComparison(operator);
    }

    /** Whether it is {@code and}, {@code or} or {@code unless}. */
    public boolean isSetOperation() {
      return Operators.isSet(operator);
    }
  }

  /** A sign flipped. */
  record Negation(Expression operand, int at) implements Expression {}

  /** Parentheses, kept so that a text can be written as it was. */
  record Parentheses(Expression inner, int at) implements Expression {}

  /**
   * How the elements of two vectors are paired.
   *
   * @param returnsBool a comparison gives 0 or 1 instead of filtering
   * @param on whether {@code labels} are the ones to match on, otherwise the ones to ignore
   * @param labels labels named after on or ignoring
   * @param cardinality which side may have several elements for one of the other
   * @param include labels copied from the side with one element
   */
  record Matching(
      boolean returnsBool,
      boolean on,
      List<String> labels,
      Cardinality cardinality,
      List<String> include) {
    /** All labels must agree, one element on each side. */
    public static final Matching PLAIN =
        new Matching(false, false, List.of(), Cardinality.ONE_TO_ONE, List.of());

    public Matching {
      labels = List.copyOf(labels);
      include = List.copyOf(include);
    }
  }

  /** Which side of a pairing may have several elements. */
  enum Cardinality {
    ONE_TO_ONE,
    GROUP_LEFT,
    GROUP_RIGHT
  }

  /** The operands, arguments and inner expressions, in the order they are written. */
  default List<Expression> children() {
    return switch (this) {
      case NumberLiteral ignored -> List.of();
      case StringLiteral ignored -> List.of();
      case VectorSelector ignored -> List.of();
      case RangeSelector range -> List.of(range.selector());
      case Subquery subquery -> List.of(subquery.inner());
      case Call call -> call.arguments();
      case Aggregation aggregation ->
          aggregation.parameter().isEmpty()
              ? List.of(aggregation.operand())
              : List.of(aggregation.parameter().getFirst(), aggregation.operand());
      case BinaryOperation operation -> List.of(operation.left(), operation.right());
      case Negation negation -> List.of(negation.operand());
      case Parentheses parentheses -> List.of(parentheses.inner());
    };
  }

  /** The expression inside any parentheses around it. */
  default Expression bare() {
    return this instanceof Parentheses parentheses ? parentheses.inner().bare() : this;
  }
}
