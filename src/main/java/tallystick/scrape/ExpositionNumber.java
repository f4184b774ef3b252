package tallystick.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads a sample value.
 *
 * <p>Stricter than {@code Double.parseDouble}, which takes {@code 1f} and {@code 0x1p3}: a decimal
 * number, or inf, infinity and nan in any case. The result is the nearest double.
 */
final class ExpositionNumber {
  private static final double[] POWERS = new double[23]; // those up to 10^22 are exact
  private static final int EXACT_DIGITS = 18; // more overflow a long
  private static final int EXCERPT = 40; // letters of a message
  private static final long EXACT_LIMIT = 1L << 53; // whole doubles are exact below

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private final byte[] body;
  private final int from;
  private final int to;
  private int at;
  private long mantissa;
  private int digits;
  private int significant;
  private int scale;

  private ExpositionNumber(byte[] body, int from, int to) {
    this.body = body;
    this.from = from;
    this.to = to;
    this.at = from;
  }

  /**
   * The number written in {@code body} from {@code from} until before {@code to}.
   *
   * @throws NumberFormatException if that is not a number
   */
  static double parse(byte[] body, int from, int to) {
    return new ExpositionNumber(body, from, to).number();
  }

  /**
   * The number that a text is.
   *
   * @throws NumberFormatException if it is none
   */
  static double parse(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return parse(body, 0, body.length);
  }

  private double number() {
    boolean negative = at < to && body[at] == '-';
    if (at < to && (body[at] == '-' || body[at] == '+')) {
      at++;
    }
    int first = at;
    readDigits(false);
    if (at < to && body[at] == '.') {
      at++;
      readDigits(true);
    }
    if (digits == 0) {
      return word(first, negative);
    }
    readExponent();
    if (at != to) {
      throw fault();
    }
    // Below 2^53 and 10^22 both factors are exact, so that one rounding gives the nearest double.
    if (significant <= EXACT_DIGITS && mantissa <= EXACT_LIMIT && Math.abs(scale) <= 22) {
      double size = scale < 0 ? mantissa / POWERS[-scale] : mantissa * POWERS[scale];
      return negative ? -size : size;
    }
    return Double.parseDouble(new String(body, from, to - from, StandardCharsets.ISO_8859_1));
  }

  private void readDigits(boolean fraction) {
    while (at < to && body[at] >= '0' && body[at] <= '9') {
      if (significant < EXACT_DIGITS) {
        mantissa = mantissa * 10 + (body[at] - '0');
      }
      significant += significant == 0 && body[at] == '0' ? 0 : 1;
      scale -= fraction ? 1 : 0;
      digits++;
      at++;
    }
  }

  private void readExponent() {
    if (at == to || (body[at] | 0x20) != 'e') {
      return;
    }
    at++;
    boolean negative = at < to && body[at] == '-';
    if (at < to && (body[at] == '-' || body[at] == '+')) {
      at++;
    }
    int first = at;
    int exponent = 0;
    while (at < to && body[at] >= '0' && body[at] <= '9') {
      exponent = Math.min(100_000, exponent * 10 + (body[at] - '0'));
      at++;
    }
    if (at == first) {
      throw fault();
    }
    scale += negative ? -exponent : exponent;
  }

  private double word(int first, boolean negative) {
    double size =
        switch (excerpt(first).toLowerCase(Locale.ROOT)) {
          case "inf", "infinity" -> Double.POSITIVE_INFINITY;
          case "nan" -> Double.NaN;
          default -> throw fault();
        };
    return negative ? -size : size;
  }

  private NumberFormatException fault() {
    return new NumberFormatException("'" + excerpt(from) + "' is not a number");
  }

  /** Enough of the text for a word or for a message. */
  private String excerpt(int start) {
    int end = Math.min(to, start + EXCERPT);
    return new String(body, start, end - start, StandardCharsets.UTF_8);
  }
}
