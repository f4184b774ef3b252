package tallystick.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tallystick.scenario.LengthOfTime;

/**
 * A length of time on the command line. As the value of an option that counts seconds, a number
 * alone is seconds.
 */
public final class GivenTime implements ITypeConverter<Double> {
  private static final double NANOS = 1e9;

  /**
   * The time in seconds, above 0.
   *
   * @throws Mistake if it is none
   */
  public static double seconds(String option, String text) {
    long nanos = LengthOfTime.nanos(text).orElse(0);
    if (nanos <= 0) {
      throw new Mistake(
          option + " is not a time, was \"" + text + "\": "
              + LengthOfTime.hint(text).orElse("write for example 90s, 1m30s or 2h"));
    }
    return nanos / NANOS;
  }

  @Override
  public Double convert(String text) {
    String number = text.strip();
    if (number.matches("-?(\\d{1,9}(\\.\\d{0,9})?|\\.\\d{1,9})")) {
      return Double.valueOf(number);
    }
    return LengthOfTime.nanos(text).orElseThrow(() -> noTime(text)) / NANOS;
  }

  private static TypeConversionException noTime(String text) {
    String example = "write for example 0.7s, 300ms, 1m30s, or seconds";
    return new TypeConversionException(
        "'" + text + "' is not a time: " + LengthOfTime.hint(text).orElse(example));
  }
}
