package tallystick.promql;

/**
 * A number of PromQL, read as Go reads it: a whole number that begins with 0 is octal, {@code 0x}
 * begins a hexadecimal one, and what neither can hold is tried as a decimal.
 */
final class PromqlNumber {
  private PromqlNumber() {}

  /**
   * What a number is worth.
   *
   * @throws PromqlException if it is out of range
   */
  static double read(Token token) {
    String text = token.text().replace("_", "");
    if (token.text().contains("_") && text.endsWith(".")) {
      throw new NotUnderstoodException("a fraction after " + token.text(), token.at());
    }
    try {
      double value = value(text);
      if (!Double.isInfinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Only a hexadecimal number too long for 64 bits; it is told like any other.
    }
    throw new PromqlException("a number out of range: " + text, token.at());
  }

  private static double value(String text) {
    if (text.startsWith("0x") || text.startsWith("0X")) {
      return Long.parseLong(text.substring(2), 16);
    }
    boolean isOctal = text.matches("0[0-7]{1,21}");
    return isOctal ? Long.parseLong(text, 8) : Double.parseDouble(text);
  }
}
