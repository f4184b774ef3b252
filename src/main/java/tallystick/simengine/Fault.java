package tallystick.simengine;

import java.util.HashMap;
import java.util.Map;

/** Something that goes wrong on demand, so that a test knows what a tool must notice. */
public sealed interface Fault {
  /** Beyond these, times of the engine's clock would not fit a count of nanoseconds. */
  double MOST_NANOS = 1e18;

  /** See {@link #MOST_NANOS}. */
  double MOST_FACTOR = 1e6;

  /** Every engine of the server is meant. */
  int EVERY_ENGINE = -1;

  /** The one engine of the server that is meant; {@link #EVERY_ENGINE} for all. */
  default int engine() {
    return EVERY_ENGINE;
  }

  /**
   * The engine stands still: no step begins.
   *
   * @param atNanos when, after the engine's start
   * @param forNanos how long
   * @param engine the one engine of the server that stands still; {@link #EVERY_ENGINE} for all
   */
  record Stall(long atNanos, long forNanos, int engine) implements Fault {
    boolean stops(int rank) {
      return engine == EVERY_ENGINE || engine == rank;
    }
  }

  /**
   * No waiting request is admitted; those that run go on.
   *
   * @param atNanos when, after the engine's start
   * @param forNanos how long
   * @param engine the one engine of the server that is meant; {@link #EVERY_ENGINE} for all
   */
  record Admission(long atNanos, long forNanos, int engine) implements Fault {
    /** How long a step lasts in which nothing runs and nothing may begin. */
    static final long IDLE_NANOS = 1_000_000;

    boolean holds(int rank, long nowNanos) {
      return (engine == EVERY_ENGINE || engine == rank)
          && nowNanos >= atNanos
          && nowNanos < atNanos + forNanos;
    }
  }

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

  /** The engine's families come with the first request, as those of a Dynamo worker do. */
  record LateFamilies() implements Fault {}

  /** Counters have no {@code _total}, as some exporters that pass them on leave it out. */
  record NoTotal() implements Fault {}

  /**
   * Scrapes are answered with what the first of them was.
   *
   * @param afterNanos from when, after the first request
   * @param forNanos how long
   */
  record FrozenMetrics(long afterNanos, long forNanos) implements Fault {}

  /**
   * Scrapes are answered 503.
   *
   * @param afterNanos from when, after the first request
   * @param forNanos how long
   */
  record MetricsHole(long afterNanos, long forNanos) implements Fault {}

  /**
   * Steps take longer than the profile says.
   *
   * @param prefillFactor times as long where a step prefills a new request
   * @param decodeFactor times as long where a step only decodes
   * @param share which share of the steps, 0 to 1: below 1 the engine is uneven
   * @param engine the one engine of the server that is slow; {@link #EVERY_ENGINE} for all
   * @param atNanos from when, after the engine's start
   * @param forNanos how long
   */
  record Slow(
      double prefillFactor,
      double decodeFactor,
      double share,
      int engine,
      long atNanos,
      long forNanos)
      implements Fault {
    boolean slows(int rank) {
      return engine == EVERY_ENGINE || engine == rank;
    }

    boolean lasts(long nowNanos) {
      return nowNanos >= atNanos && nowNanos - atNanos < forNanos;
    }
  }

  /**
   * Reads {@code stall:at=10s,for=2s}, {@code cut:after=5}, {@code http503:p=0.01}, {@code
   * drop-token:at=5000}, {@code late-families}, {@code no-total}, {@code
   * frozen-metrics:after=1s,for=2s}, {@code metrics-hole:after=1s,for=2s}, {@code
   * admission:at=10s,for=2s} or {@code slow:prefill=1,decode=3,share=1,at=10s,for=2s}, of which
   * any may be left out.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Fault parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "a fault must not be empty: write one, as in stall:at=10s,for=2s, or leave it out");
    }
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    Map<String, String> options = options(text, colon < 0 ? "" : text.substring(colon + 1));
    Fault fault =
        switch (kind) {
          case "stall" ->
              new Stall(nanos(options, "at"), nanos(options, "for"), engine(options));
          case "admission" ->
              new Admission(nanos(options, "at"), nanos(options, "for"), engine(options));
          case "cut" -> new Cut(Math.toIntExact(whole(options, "after")));
          case "http503" -> new Unavailable(share(options, "p"));
          case "drop-token" -> new DropToken(whole(options, "at"));
          case "late-families" -> new LateFamilies();
          case "no-total" -> new NoTotal();
          case "frozen-metrics" ->
              new FrozenMetrics(nanos(options, "after"), nanos(options, "for"));
          case "metrics-hole" -> new MetricsHole(nanos(options, "after"), nanos(options, "for"));
          case "slow" ->
              new Slow(
                  factor(options, "prefill"),
                  factor(options, "decode"),
                  options.containsKey("share") ? share(options, "share") : 1,
                  engine(options),
                  options.containsKey("at") ? nanos(options, "at") : 0,
                  options.containsKey("for") ? nanos(options, "for") : Long.MAX_VALUE);
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
    double nanos = number(key, number) * unit;
    if (!(nanos >= 0 && nanos <= MOST_NANOS)) {
      throw new IllegalArgumentException(key + " must be a time from 0s to 1e9s, was " + value);
    }
    return Math.round(nanos);
  }

  private static long whole(Map<String, String> options, String key) {
    double number = number(key, value(options, key));
    if (number != Math.rint(number) || number < 1 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          key + " must be a whole number from 1 to " + Integer.MAX_VALUE + ", was " + number);
    }
    return (long) number;
  }

  private static int engine(Map<String, String> options) {
    if (!options.containsKey("engine")) {
      return EVERY_ENGINE;
    }
    double rank = number("engine", value(options, "engine"));
    if (rank != Math.rint(rank) || rank < 0) {
      throw new IllegalArgumentException("engine must be 0, 1, 2, ..., was " + rank);
    }
    return (int) rank;
  }

  private static double share(Map<String, String> options, String key) {
    double number = number(key, value(options, key));
    if (!(number >= 0 && number <= 1)) {
      throw new IllegalArgumentException(key + " must be between 0 and 1, was " + number);
    }
    return number;
  }

  private static double factor(Map<String, String> options, String key) {
    double factor = options.containsKey(key) ? number(key, value(options, key)) : 1;
    if (!(factor > 0 && factor <= MOST_FACTOR)) {
      throw new IllegalArgumentException(
          key + " must be a factor > 0 and at most 1e6, was " + factor);
    }
    return factor;
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
        "fault must be stall:at=10s,for=2s or cut:after=5 or http503:p=0.01 or drop-token:at=5000"
            + " or late-families or no-total or frozen-metrics:after=1s,for=2s"
            + " or metrics-hole:after=1s,for=2s or admission:at=10s,for=2s"
            + " or slow:prefill=1,decode=3,share=1,at=10s,for=2s, was "
            + text);
  }
}
