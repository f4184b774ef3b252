package tallystick.cli;

import picocli.CommandLine.TypeConversionException;

/** Numbers on the command line; what is none is said in plain words. */
final class GivenNumber {
  private GivenNumber() {}

  static Double real(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no number, for example 2.5");
    }
  }

  static Long whole(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no whole number, for example 20");
    }
  }

  static Integer integer(String text) {
    try {
      return Math.toIntExact(whole(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
  }
}
