package tallystick.experiment.capacity;

import java.util.function.DoubleUnaryOperator;

/** The least value of a function that falls and then rises, by golden section. */
final class Minimum {
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double CLOSE = 1e-4;

  private Minimum() {}

  /** Where between two ends the function is least. */
  static double of(DoubleUnaryOperator function, double from, double to) {
    double low = from;
    double high = to;
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double atLeft = function.applyAsDouble(left);
    double atRight = function.applyAsDouble(right);
    while (high - low > CLOSE) {
      if (atLeft <= atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = function.applyAsDouble(left);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = function.applyAsDouble(right);
      }
    }
    return (low + high) / 2;
  }
}
