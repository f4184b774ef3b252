package tallystick.promql;

/** PromQL that Prometheus may well accept but this evaluator does not know. */
public final class NotUnderstoodException extends PromqlException {
  /**
   * An unknown construct.
   *
   * @param construct what it is, for example {@code subquery}
   * @param offset characters before it in the expression's text
   */
  public NotUnderstoodException(String construct, int offset) {
    super("not understood: " + construct, offset);
  }
}
