package tallystick.promql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.Cardinality;
import tallystick.promql.Expression.Matching;
import tallystick.promql.Expression.Negation;
import tallystick.promql.Expression.NumberLiteral;
import tallystick.promql.Expression.Parentheses;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.StringLiteral;
import tallystick.promql.Expression.Subquery;
import tallystick.promql.Expression.Timing;
import tallystick.promql.Expression.VectorSelector;

/** Writes expressions as PromQL. */
public final class ExpressionText {
  private static final Set<String> KEYWORDS =
      Set.of(
          "and", "or", "unless", "atan2", "bool", "on", "ignoring", "group_left", "group_right",
          "by", "without", "offset", "start", "end", "inf", "nan");

  private ExpressionText() {}

  /** The expression as PromQL that both versions of Prometheus read. */
  public static String of(Expression expression) {
    return switch (expression) {
      case NumberLiteral number -> number(number.value());
      case StringLiteral text -> Labels.quoted(text.value());
      case VectorSelector selector -> selector(selector) + timing(selector.timing());
      case RangeSelector range ->
          selector(range.selector())
              + "["
              + PromTime.text(range.rangeMillis())
              + "]"
              + timing(range.selector().timing());
      case Subquery subquery -> subquery(subquery) + timing(subquery.timing());
      case Call call -> call.function() + "(" + joined(call.arguments()) + ")";
      case Aggregation aggregation -> aggregation(aggregation);
      case BinaryOperation operation -> operation(operation);
      case Negation negation -> "-" + of(negation.operand());
      case Parentheses parentheses -> "(" + of(parentheses.inner()) + ")";
    };
  }

  /** A number without a needless fraction or exponent. */
  public static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return Double.toString(value);
  }

  private static String selector(VectorSelector selector) {
    String metric = hasBareName(selector) ? selector.metric() : "";
    String rest =
        selector.matchers().stream()
            .filter(matcher -> metric.isEmpty() || !isName(matcher))
            .map(LabelMatcher::toString)
            .collect(Collectors.joining(","));
    return rest.isEmpty() ? metric : metric + "{" + rest + "}";
  }

  /** Whether its name reads back as a name where it stands before the braces. */
  private static boolean hasBareName(VectorSelector selector) {
    return selector.matchers().stream().filter(ExpressionText::isName).count() == 1
        && PromqlLexer.WORD.matcher(selector.metric()).matches()
        && !Signatures.AGGREGATIONS.contains(selector.metric().toLowerCase(Locale.ROOT))
        && !KEYWORDS.contains(selector.metric().toLowerCase(Locale.ROOT));
  }

  private static boolean isName(LabelMatcher matcher) {
    return matcher.label().equals(Labels.NAME);
  }

  private static String subquery(Subquery subquery) {
    String step = subquery.stepMillis() == 0 ? "" : PromTime.text(subquery.stepMillis());
    return of(subquery.inner())
        + "["
        + PromTime.text(subquery.rangeMillis())
        + ":"
        + step
        + "]";
  }

  private static String timing(Timing timing) {
    String at = timing.fixed() ? " @ " + number(timing.fixedMillis() / 1000.0) : "";
    long millis = timing.offsetMillis();
    if (millis == 0) {
      return at;
    }
    return at + " offset " + (millis < 0 ? "-" : "") + PromTime.text(Math.abs(millis));
  }

  private static String aggregation(Aggregation aggregation) {
    String clause = "";
    if (aggregation.without() || !aggregation.grouping().isEmpty()) {
      clause =
          (aggregation.without() ? " without (" : " by (")
              + String.join(", ", aggregation.grouping())
              + ") ";
    }
    String parameter =
        aggregation.parameter().isEmpty() ? "" : joined(aggregation.parameter()) + ", ";
    return aggregation.operator() + clause + "(" + parameter + of(aggregation.operand()) + ")";
  }

  private static String operation(BinaryOperation operation) {
    Matching matching = operation.matching();
    StringBuilder middle = new StringBuilder(operation.operator());
    if (matching.returnsBool()) {
      middle.append(" bool");
    }
    if (matching.on() || !matching.labels().isEmpty()) {
      middle.append(matching.on() ? " on(" : " ignoring(");
      middle.append(String.join(", ", matching.labels())).append(")");
    }
    if (matching.cardinality() != Cardinality.ONE_TO_ONE) {
      middle.append(
          matching.cardinality() == Cardinality.GROUP_LEFT ? " group_left(" : " group_right(");
      middle.append(String.join(", ", matching.include())).append(")");
    }
    return of(operation.left()) + " " + middle + " " + of(operation.right());
  }

  private static String joined(List<Expression> expressions) {
    return expressions.stream().map(ExpressionText::of).collect(Collectors.joining(", "));
  }
}
