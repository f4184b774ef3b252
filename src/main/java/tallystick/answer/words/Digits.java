package tallystick.answer.words;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** How many digits of a number are shown. */
final class Digits {
  private static final MathContext SHOWN_DIGITS = new MathContext(3, RoundingMode.HALF_UP);
  private static final int MOST_DECIMALS = 4;

  private Digits() {}

  /** Three digits that count, zeros kept, at most four of them after the point. */
  static String significant(BigDecimal value) {
    BigDecimal rounded = value.round(SHOWN_DIGITS);
    int digitsBeforePoint = rounded.precision() - rounded.scale();
    int decimals = Math.max(0, SHOWN_DIGITS.getPrecision() - digitsBeforePoint);
    if (value.signum() == 0) {
      return "0";
    }
    int scale = Math.min(MOST_DECIMALS, decimals);
    BigDecimal shown = value.setScale(scale, RoundingMode.HALF_UP);
    if (shown.signum() == 0) {
      return "≈ 0";
    }
    return String.format(Locale.ROOT, "%,." + scale + "f", shown);
  }

  /** A number without digits. */
  static String infinity(double value) {
    return Double.isNaN(value) ? "n/a" : value > 0 ? "+Inf" : "-Inf";
  }
}
