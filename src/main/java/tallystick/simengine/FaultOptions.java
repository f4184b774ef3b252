package tallystick.simengine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The words of one fault as a user wrote it; each option is taken out when it is read. */
final class FaultOptions {
  /** One of each kind, as a user writes it. */
  static final List<String> EXAMPLES =
      List.of(
          "stall:at=10s,for=2s,engine=0",
          "admission:at=10s,for=2s,engine=0",
          "slow:prefill=1,decode=3,share=1,engine=0,at=10s,for=2s",
          "drop-token:at=5000",
          "cut:after=5,p=1",
          "malformed-chunk:after=5,p=1",
          "error-event:after=5,p=1",
          "http429:p=0.5,after=1s,for=2s",
          "http503:p=0.5,after=1s,for=2s",
          "restart:after=10s,for=5s",
          "counter-reset:after=10s",
          "metrics-hole:after=1s,for=2s",
          "slow-metrics:by=300ms,after=1s,for=2s",
          "truncated-metrics:after=1s,for=2s",
          "frozen-metrics:after=1s,for=2s",
          "late-families",
          "no-total");

  /** Beyond these, times of the engine's clock would not fit a count of nanoseconds. */
  private static final double MOST_NANOS = 1e18;

  private static final double MOST_FACTOR = 1e6; // a bound against overflow

  private final String text;
  private final String kind;
  private final Map<String, String> options = new HashMap<>();

  private FaultOptions(String text, String kind) {
    this.text = text;
    this.kind = kind;
  }

  /** What {@code kind:key=value,key=value} says. */
  static FaultOptions of(String text) {
    FaultOptions read = new FaultOptions(text, kindOf(text));
    String list = text.substring(Math.min(read.kind.length() + 1, text.length()));
    for (String option : list.isEmpty() ? new String[0] : list.split(",")) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw read.unreadable();
      }
      read.options.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return read;
  }

  String kind() {
    return kind;
  }

  boolean has(String key) {
    return options.containsKey(key);
  }

  /** Refuses a word that nothing asked for. */
  void checkAllRead() {
    if (!options.isEmpty()) {
      throw unreadable();
    }
  }

  /** How this kind is written; of no known kind, which ones there are. */
  IllegalArgumentException unreadable() {
    String known =
        EXAMPLES.stream()
            .filter(example -> kindOf(example).equals(kind))
            .findFirst()
            .map(example -> "a fault of this kind is written as " + example)
            .orElseGet(
                () ->
                    EXAMPLES.stream()
                        .map(FaultOptions::kindOf)
                        .collect(Collectors.joining(", ", "a fault begins with one of ", "")));
    return new IllegalArgumentException(known + ", was " + text);
  }

  private static String kindOf(String text) {
    return text.split(":", 2)[0];
  }

  long nanos(String key) {
    String value = value(key);
    if (value.matches("[0-9.]+")) {
      throw new IllegalArgumentException(
          key + "=" + value + " has no unit: write " + key + "=" + value + "s for seconds or "
              + key + "=" + value + "ms for milliseconds");
    }
    double unit = value.endsWith("ms") ? 1e6 : 1e9;
    double nanos = number(key, value.replaceFirst("(ms|s)$", "")) * unit;
    if (!(nanos >= 0 && nanos <= MOST_NANOS)) {
      throw new IllegalArgumentException(key + " must be a time from 0s to 1e9s, was " + value);
    }
    return Math.round(nanos);
  }

  long whole(String key) {
    double number = number(key, value(key));
    if (number != Math.rint(number) || number < 1 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          key + " must be a whole number from 1 to " + Integer.MAX_VALUE + ", was " + number);
    }
    return (long) number;
  }

  /** The rank of an engine; {@code every} where it is left out. */
  int engine(int every) {
    if (!has("engine")) {
      return every;
    }
    double rank = number("engine", value("engine"));
    if (rank != Math.rint(rank) || rank < 0) {
      throw new IllegalArgumentException("engine must be 0, 1, 2, ..., was " + rank);
    }
    return (int) rank;
  }

  /** A share; all where it is left out. */
  double share(String key) {
    double number = has(key) ? number(key, value(key)) : 1;
    if (!(number >= 0 && number <= 1)) {
      throw new IllegalArgumentException(key + " must be between 0 and 1, was " + number);
    }
    return number;
  }

  /** A factor; 1 where it is left out. */
  double factor(String key) {
    double factor = has(key) ? number(key, value(key)) : 1;
    if (!(factor > 0 && factor <= MOST_FACTOR)) {
      throw new IllegalArgumentException(
          key + " must be a factor > 0 and at most 1e6, was " + factor);
    }
    return factor;
  }

  private String value(String key) {
    String value = options.remove(key);
    if (value == null) {
      throw new IllegalArgumentException("fault needs " + key + "=...");
    }
    return value;
  }

  private static double number(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " must be a number, was " + text, e);
    }
  }
}
