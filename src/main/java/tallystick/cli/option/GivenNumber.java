package tallystick.cli.option;

import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine;

/** Numbers on the command line; what is none is said in plain words. */
public final class GivenNumber {
  private GivenNumber() {}

  /** Has a command, and those below it, read every number so. */
  public static CommandLine in(CommandLine line) {
    return line.registerConverter(Double.class, GivenNumber::real)
        .registerConverter(double.class, GivenNumber::real)
        .registerConverter(Integer.class, GivenNumber::integer)
        .registerConverter(int.class, GivenNumber::integer)
        .registerConverter(Long.class, GivenNumber::whole)
        .registerConverter(long.class, GivenNumber::whole);
  }

  private static Double real(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a number, for example 2.5");
    }
  }

  private static Long whole(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a whole number, for example 20");
    }
  }

  private static Integer integer(String text) {
    try {
      return Math.toIntExact(whole(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
  }
}
