package tallystick.cli;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A length of time on the command line, for example {@code 300ms}, {@code 0.7s}, {@code 1m30s} or
 * {@code 2h}. As the value of an option that counts seconds, a number alone is seconds.
 */
final class GivenTime implements ITypeConverter<Double> {
  private static final String PART = "(\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})(ms|s|m|h|d)";
  private static final Pattern PARTS = Pattern.compile(PART);
  private static final Pattern TIME = Pattern.compile("(?:" + PART + ")+");

  /**
   * The time in seconds, above 0.
   *
   * @throws IllegalArgumentException if it is none
   */
  static double seconds(String option, String text) {
    String time = text.strip().toLowerCase(Locale.ROOT);
    double seconds = TIME.matcher(time).matches() ? sum(time) : 0;
    if (seconds == 0) {
      throw new IllegalArgumentException(
          option + " is no time, was \"" + text + "\": write for example 90s, 1m30s or 2h");
    }
    return seconds;
  }

  private static double sum(String time) {
    return PARTS.matcher(time).results().mapToDouble(GivenTime::part).sum();
  }

  private static double part(MatchResult part) {
    double number = Double.parseDouble(part.group(1));
    return switch (part.group(2)) {
      case "d" -> number * 86_400;
      case "h" -> number * 3600;
      case "m" -> number * 60;
      case "ms" -> number / 1000;
      default -> number;
    };
  }

  @Override
  public Double convert(String text) {
    String time = text.strip().toLowerCase(Locale.ROOT);
    if (time.matches("-?(\\d{1,9}(\\.\\d{0,9})?|\\.\\d{1,9})")) {
      return Double.valueOf(time);
    }
    if (!TIME.matcher(time).matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no time: write for example 0.7s, 300ms, 1m30s, or seconds");
    }
    return sum(time);
  }
}
