package tallystick.promql;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Prometheus writes them: {@code 5m}, {@code 1h30m}, {@code 500ms}. */
public final class PromTime {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d+)y)?(?:(\\d+)w)?(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");
  private static final int MOST_LETTERS = 200; // a bound on what is read
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long[] UNIT_MILLIS = {365 * DAY, 7 * DAY, DAY, HOUR, MINUTE, SECOND, 1};

  private static final int LONGEST_WRITTEN = 2; // days: a year or a week says less to a reader

  /** Prometheus keeps nanoseconds in 64 bits. */
  private static final BigInteger MOST_MILLIS = BigInteger.valueOf(Long.MAX_VALUE / 1_000_000);

  private PromTime() {}

  /**
   * The duration in milliseconds; empty if the text is none, or is above the 292 years that
   * Prometheus can hold. A bare 0 is one.
   */
  public static Optional<Long> millis(String text) {
    if (text.equals("0")) {
      return Optional.of(0L);
    }
    Matcher matcher = FORM.matcher(text);
    if (text.isEmpty() || text.length() > MOST_LETTERS || !matcher.matches()) {
      return Optional.empty();
    }
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < UNIT_MILLIS.length; i++) {
      if (matcher.group(i + 1) != null) {
        BigInteger count = new BigInteger(matcher.group(i + 1));
        sum = sum.add(count.multiply(BigInteger.valueOf(UNIT_MILLIS[i])));
      }
    }
    return sum.compareTo(MOST_MILLIS) > 0 ? Optional.empty() : Optional.of(sum.longValue());
  }

  /** The shortest text with one unit, for example {@code 90m} for an hour and a half. */
  public static String text(long millis) {
    for (int i = LONGEST_WRITTEN; i < LONGEST_WRITTEN + 3; i++) {
      if (millis != 0 && millis % UNIT_MILLIS[i] == 0) {
        return millis / UNIT_MILLIS[i] + "ywdhm".substring(i, i + 1);
      }
    }
    return millis % SECOND == 0 ? millis / SECOND + "s" : millis + "ms";
  }
}
