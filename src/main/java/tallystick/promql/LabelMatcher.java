package tallystick.promql;

/**
 * One condition of a selector, for example {@code le="2.5"}.
 *
 * @param label the label it looks at
 * @param operator how it compares
 * @param value what it compares with
 * @param expression the value as a regular expression, where it is one
 */
public record LabelMatcher(
    String label, Operator operator, String value, RegularExpression expression) {
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

    private RegularExpression read(String value) {
      boolean isLiteral = this == EQUAL || this == NOT_EQUAL;
      return RegularExpression.read(isLiteral ? "" : value);
    }
  }

  /**
   * A condition; regular expressions are anchored at both ends.
   *
   * @throws PromqlException if the regular expression cannot be read
   */
  public LabelMatcher(String label, Operator operator, String value) {
    this(label, operator, value, operator.read(value));
  }

  /** The plain case. */
  public static LabelMatcher equal(String label, String value) {
    return new LabelMatcher(label, Operator.EQUAL, value);
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
  public String toString() {
    return label + operator.symbol() + Labels.quoted(value);
  }
}
