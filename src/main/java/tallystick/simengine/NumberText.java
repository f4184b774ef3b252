package tallystick.simengine;

import java.math.BigDecimal;

/** Writes numbers as Python's client library for Prometheus does. */
final class NumberText {
  private NumberText() {}

  /** A number as Python's client library writes it: {@code 1.0}, {@code 1.795e+09}. */
  static String of(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e6) {
      return (long) value + ".0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    String digits = decimal.unscaledValue().abs().toString();
    int pointAt = digits.length() - decimal.scale();
    String sign = value < 0 ? "-" : "";
    if (pointAt > 6 && value > 0) {
      return mantissa(digits) + "e+" + twoDigits(pointAt - 1);
    }
    if (pointAt <= -4) {
      return sign + mantissa(digits) + "e-" + twoDigits(1 - pointAt);
    }
    String plain = decimal.toPlainString();
    return plain.contains(".") ? plain : plain + ".0";
  }

  private static String mantissa(String digits) {
    return digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
  }

  private static String twoDigits(int exponent) {
    return exponent < 10 ? "0" + exponent : Integer.toString(exponent);
  }
}
