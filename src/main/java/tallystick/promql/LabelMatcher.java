package tallystick.promql;

import java.util.Objects;

/** One condition of a selector, for example {@code le="2.5"}. */
public final class LabelMatcher {
  /** The four ways a label can be compared. */
  public enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    MATCHES("=~"),
    NOT_MATCHES("!~");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    /** As PromQL writes it. */
    public String symbol() {
      return symbol;
    }
  }

  private final String label;
  private final Operator operator;
  private final String value;
  private final RegularExpression expression;

  /**
   * A condition; regular expressions are anchored at both ends.
   *
   * @throws PromqlException if the regular expression cannot be read
   */
  public LabelMatcher(String label, Operator operator, String value) {
    this.label = label;
    this.operator = operator;
    this.value = value;
    this.expression = read(value);
  }

  /** The plain case. */
  public static LabelMatcher equal(String label, String value) {
    return new LabelMatcher(label, Operator.EQUAL, value);
  }

  private RegularExpression read(String text) {
    boolean isLiteral = operator == Operator.EQUAL || operator == Operator.NOT_EQUAL;
    return RegularExpression.read(isLiteral ? "" : text);
  }

  /** The label it looks at. */
  public String label() {
    return label;
  }

  /** How it compares. */
  public Operator operator() {
    return operator;
  }

  /** What it compares with. */
  public String value() {
    return value;
  }

  /** Whether a series with these labels passes; a missing label is an empty one. */
  public boolean accepts(Labels labels) {
    String actual = labels.get(label);
    return switch (operator) {
      case EQUAL -> actual.equals(value);
      case NOT_EQUAL -> !actual.equals(value);
      case MATCHES -> expression.matches(actual);
      case NOT_MATCHES -> !expression.matches(actual);
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LabelMatcher matcher
        && label.equals(matcher.label)
        && operator == matcher.operator
        && value.equals(matcher.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(label, operator, value);
  }

  @Override
  public String toString() {
    return label + operator.symbol() + Labels.quoted(value);
  }
}
