package tallystick.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time on the command line, for example {@code 90s}, {@code 30m} or {@code 2h}. */
final class GivenTime {
  private static final Pattern TIME = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)(s|m|h)");

  private GivenTime() {}

  /**
   * The time in seconds, above 0.
   *
   * @throws IllegalArgumentException if it is none
   */
  static double seconds(String option, String text) {
    Matcher time = TIME.matcher(text.strip());
    if (!time.matches() || Double.parseDouble(time.group(1)) == 0) {
      throw new IllegalArgumentException(
          option + " is no time, was \"" + text + "\": write for example 90s, 30m or 2h");
    }
    double unit = switch (time.group(2)) {
      case "h" -> 3600;
      case "m" -> 60;
      default -> 1;
    };
    return Double.parseDouble(time.group(1)) * unit;
  }
}
