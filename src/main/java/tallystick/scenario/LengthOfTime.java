package tallystick.scenario;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A length of time as people write it, in a scenario and on the command line: {@code 300ms}, {@code
 * .7s}, {@code 1m30s}, {@code 2h}. Small and capital letters are alike.
 */
public final class LengthOfTime {
  private static final Map<String, Double> UNIT_NANOS =
      Map.of(
          "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "min", 60e9, "h", 3600e9,
          "d", 86_400e9);
  private static final Map<String, String> NEXT_SMALLER =
      Map.of("d", "h", "h", "m", "m", "s", "min", "s", "s", "ms");

  private static final String PART = "\\s*(\\d+(?:\\.\\d+)?|\\.\\d+)\\s*([a-zµ]{1,20})";
  private static final Pattern PARTS = Pattern.compile(PART);

  /** A pattern takes from the stack for each of its parts, so they are few. */
  private static final String FEW_PARTS = "(?:" + PART + "){1,5}";

  private static final Pattern TIME = Pattern.compile("[+-]?" + FEW_PARTS);
  private static final Pattern WITHOUT_UNIT = Pattern.compile(FEW_PARTS + "\\d{1,9}");

  private LengthOfTime() {}

  /** In nanoseconds, below 0 where it begins with a minus; empty if the text is none. */
  public static OptionalLong nanos(String text) {
    String time = plain(text);
    if (!TIME.matcher(time).matches() || unknownUnit(time).isPresent()) {
      return OptionalLong.empty();
    }
    double nanos =
        PARTS.matcher(time)
            .results()
            .mapToDouble(part -> Double.parseDouble(part.group(1)) * UNIT_NANOS.get(part.group(2)))
            .sum();
    return OptionalLong.of(Math.round(time.startsWith("-") ? -nanos : nanos));
  }

  /** What to write instead of a text that is none; {@code 1m30} lacks the next smaller unit. */
  public static Optional<String> hint(String text) {
    String time = plain(text);
    Matcher lacking = WITHOUT_UNIT.matcher(time);
    if (lacking.matches() && NEXT_SMALLER.containsKey(lacking.group(2))) {
      return Optional.of("did you mean " + time + NEXT_SMALLER.get(lacking.group(2)) + "?");
    }
    return TIME.matcher(time).matches()
        ? unknownUnit(time).map(unit -> "unknown unit \"" + unit + "\"; use us, ms, s, m, h or d")
        : Optional.empty();
  }

  /** As people say it, for example {@code 11 min} or {@code 5 h 02 min}. */
  public static String words(double seconds) {
    long minutes = Math.round(seconds / 60);
    if (seconds < 90) {
      return Math.round(seconds) + " s";
    }
    return minutes < 90
        ? minutes + " min"
        : Formatted.of("%d h %02d min", minutes / 60, minutes % 60);
  }

  private static Optional<String> unknownUnit(String time) {
    return PARTS.matcher(time)
        .results()
        .map(part -> part.group(2))
        .filter(unit -> !UNIT_NANOS.containsKey(unit))
        .findFirst();
  }

  private static String plain(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }
}
