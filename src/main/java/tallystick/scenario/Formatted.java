package tallystick.scenario;

import java.util.Locale;

/** Text with numbers in it, which are written alike in every country: 1.5 and never 1,5. */
public final class Formatted {
  /** So near to half of the last decimal it takes a number's own digits to round it. */
  private static final double NEAR_HALF = 1e-6;

  private static final double MOST_SCALED = 1e9; // up to it a product is true to that

  private Formatted() {}

  /**
   * A number as {@code %f} writes it, without zeros at the end. Pictures take ten thousands of
   * them, and a pattern each was most of their time.
   *
   * @param most decimals, at most 9
   */
  public static String decimals(double value, int most) {
    double scaled = value * Math.pow(10, most);
    double floor = Math.floor(scaled);
    boolean isClear =
        Double.compare(value, 0) >= 0 && scaled < MOST_SCALED
            && Math.abs(scaled - floor - 0.5) > NEAR_HALF;
    if (!isClear) {
      String text = of("%." + most + "f", value);
      return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
    long digits = Math.round(scaled);
    int decimals = most;
    while (decimals > 0 && digits % 10 == 0) {
      digits /= 10;
      decimals--;
    }
    StringBuilder text = new StringBuilder(Long.toString(digits));
    while (text.length() <= decimals) {
      text.insert(0, '0');
    }
    return decimals == 0 ? text.toString() : text.insert(text.length() - decimals, '.').toString();
  }

  /** The pattern of {@link String#format} with these values. */
  public static String of(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
