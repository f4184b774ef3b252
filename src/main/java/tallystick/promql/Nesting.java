package tallystick.promql;

/** Bounds the depth of an expression: whoever walks its tree takes a stack frame for each level. */
final class Nesting {
  /** Of parentheses, calls, right operands and signs. */
  private static final int MOST_LEVELS = 200;

  /** In all: a chain of them is a tree as deep as the chain is long. */
  private static final int MOST_OPERATORS = 1000;

  private int levels;
  private int operators;

  void enter(Token first) {
    if (++levels > MOST_LEVELS) {
      throw new NotUnderstoodException(
          "more than " + MOST_LEVELS + " levels of nesting", first.at());
    }
  }

  void leave() {
    levels--;
  }

  void operator(Token operator) {
    if (++operators > MOST_OPERATORS) {
      throw new NotUnderstoodException(
          "more than " + MOST_OPERATORS + " operators", operator.at());
    }
  }
}
