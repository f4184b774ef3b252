package tallystick.scenario;

import java.util.Locale;

/** Text with numbers in it, which are written alike in every country: 1.5 and never 1,5. */
public final class Formatted {
  private Formatted() {}

  /** The pattern of {@link String#format} with these values. */
  public static String of(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
