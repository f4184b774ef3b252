package tallystick.alerting;

import java.math.BigDecimal;
import java.math.MathContext;

/** How numbers stand in rules and in sentences about them. */
public final class RuleWords {
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private RuleWords() {}

  /** A number with at most six digits, without a needless fraction or exponent. */
  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    return new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros().toPlainString();
  }
}
