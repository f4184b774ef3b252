package tallystick.simengine;

import java.util.HashMap;
import java.util.Map;

/** Something that goes wrong on demand, so that a test knows what a tool must notice. */
public sealed interface Fault {

  /**
   * The engine stands still: no step begins.
   *
   * @param atNanos when, after the engine's start
   * @param forNanos how long
   */
  record Stall(long atNanos, long forNanos) implements Fault {}

  /**
   * Every stream is cut: the connection is closed in the middle.
   *
   * @param afterEvents events sent before the cut
   */
  record Cut(int afterEvents) implements Fault {}

  /**
   * Some requests are answered 503.
   *
   * @param share which share of them, 0 to 1
   */
  record Unavailable(double share) implements Fault {}

  /**
   * One token is counted by the engine and never reaches its client.
   *
   * @param position which one of all generated tokens, from 1
   */
  record DropToken(long position) implements Fault {}

  /**
   * Reads {@code stall:at=10s,for=2s}, {@code cut:after=5}, {@code http503:p=0.01} or
   * {@code drop-token:at=100}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Fault parse(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    Map<String, String> options = options(text, colon < 0 ? "" : text.substring(colon + 1));
    Fault fault =
        switch (kind) {
          case "stall" -> new Stall(nanos(options, "at"), nanos(options, "for"));
          case "cut" -> new Cut(Math.toIntExact(whole(options, "after")));
          case "http503" -> new Unavailable(share(options, "p"));
          case "drop-token" -> new DropToken(whole(options, "at"));
          default -> throw unreadable(text);
        };
    if (!options.isEmpty()) {
      throw unreadable(text);
    }
    return fault;
  }

  private static Map<String, String> options(String text, String list) {
    Map<String, String> options = new HashMap<>();
    if (list.isEmpty()) {
      return options;
    }
    for (String option : list.split(",")) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw unreadable(text);
      }
      options.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return options;
  }

  private static String value(Map<String, String> options, String key) {
    String value = options.remove(key);
    if (value == null) {
      throw new IllegalArgumentException("fault needs " + key + "=...");
    }
    return value;
  }

  private static long nanos(Map<String, String> options, String key) {
    String value = value(options, key);
    double unit = value.endsWith("ms") ? 1e6 : 1e9;
    String number = value.replaceFirst("(ms|s)$", "");
    return Math.round(number(key, number) * unit);
  }

  private static long whole(Map<String, String> options, String key) {
    double number = number(key, value(options, key));
    if (number != Math.rint(number) || number < 1) {
      throw new IllegalArgumentException(key + " must be a whole number >= 1, was " + number);
    }
    return (long) number;
  }

  private static double share(Map<String, String> options, String key) {
    double number = number(key, value(options, key));
    if (!(number >= 0 && number <= 1)) {
      throw new IllegalArgumentException(key + " must be between 0 and 1, was " + number);
    }
    return number;
  }

  private static double number(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " must be a number, was " + text, e);
    }
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        "fault must be stall:at=10s,for=2s or cut:after=5 or http503:p=0.01 or drop-token:at=100,"
            + " was "
            + text);
  }
}
