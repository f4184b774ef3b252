package tallystick.analysis.result;

import java.util.function.DoubleUnaryOperator;

/**
 * A number, or the reason why there is none. Seconds unless the field that holds it says otherwise.
 */
public sealed interface Figure {

  /** A number the data carry. */
  record Known(double value) implements Figure {}

  /**
   * No number, and why; for example {@code n=40, need 72}.
   *
   * @param reason shown to the reader as {@code n/a (reason)}
   */
  record Unavailable(String reason) implements Figure {}

  /** The number, or NaN where there is none, which no comparison holds for. */
  default double orNaN() {
    return this instanceof Known known ? known.value() : Double.NaN;
  }

  /** The number, or 0 where there is none. */
  default double orZero() {
    return this instanceof Known known ? known.value() : 0;
  }

  /** The same, changed where it is known. */
  default Figure map(DoubleUnaryOperator change) {
    return this instanceof Known known ? Figure.of(change.applyAsDouble(known.value())) : this;
  }

  /** This less another; where one of them is missing, so is this. */
  default Figure minus(Figure other) {
    return this instanceof Known one && other instanceof Known two
        ? of(one.value() - two.value())
        : this instanceof Unavailable ? this : other;
  }

  /** This for each of another; where one of them is missing, so is this. */
  default Figure over(Figure count, String whyNotOverNothing) {
    if (this instanceof Known one && count instanceof Known two) {
      return two.value() > 0 ? of(one.value() / two.value()) : missing(whyNotOverNothing);
    }
    return this instanceof Unavailable ? this : count;
  }

  /** A known figure; a NaN is a defect of the caller. */
  static Figure of(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("a figure must not be NaN: say why it is missing");
    }
    return new Known(value);
  }

  /** A missing figure. */
  static Figure missing(String reason) {
    return new Unavailable(reason);
  }
}
