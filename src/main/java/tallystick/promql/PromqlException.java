package tallystick.promql;

/** An expression that cannot be read or evaluated, with the place in its text. */
public class PromqlException extends RuntimeException {
  private final int offset;

  /**
   * A fault in an expression.
   *
   * @param message what is wrong
   * @param offset characters before the fault in the expression's text
   */
  public PromqlException(String message, int offset) {
    super(message);
    this.offset = offset;
  }

  /** Characters before the fault. */
  public int offset() {
    return offset;
  }
}
