package tallystick.simengine;

import java.util.List;

/** Something that goes wrong on demand, so that a test knows what a tool must notice. */
public sealed interface Fault {
  /** Every engine of the server is meant. */
  int EVERY_ENGINE = -1;

  /** The one engine of the server that is meant; {@link #EVERY_ENGINE} for all. */
  default int engine() {
    return EVERY_ENGINE;
  }

  /** The faults of one kind. */
  static <F extends Fault> List<F> all(List<Fault> faults, Class<F> kind) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static boolean lasts(long atNanos, long forNanos, long nowNanos) {
    return nowNanos >= atNanos && nowNanos - atNanos < forNanos;
  }

  /** Whether the engine of this rank is meant. */
  default boolean isOf(int rank) {
    return engine() == EVERY_ENGINE || engine() == rank;
  }

  /** One that lasts for some time of an engine's life. */
  sealed interface Timed extends Fault {
    /** When it begins, after the engine's start. */
    long atNanos();

    /** How long it lasts. */
    long forNanos();

    /** Whether it strikes one of the server's engines at a moment. */
    default boolean holds(int rank, long nowNanos) {
      return isOf(rank) && lasts(atNanos(), forNanos(), nowNanos);
    }
  }

  /**
   * The engine stands still: no step begins.
   *
   * @param atNanos when, after the engine's start
   * @param forNanos how long
   * @param engine the one engine of the server that stands still; {@link #EVERY_ENGINE} for all
   */
  record Stall(long atNanos, long forNanos, int engine) implements Timed {}

  /**
   * No waiting request is admitted; those that run go on.
   *
   * @param atNanos when, after the engine's start
   * @param forNanos how long
   * @param engine the one engine of the server that is meant; {@link #EVERY_ENGINE} for all
   */
  record Admission(long atNanos, long forNanos, int engine) implements Timed {
    /** How long a step lasts in which nothing runs and nothing may begin. */
    static final long IDLE_NANOS = 1_000_000;
  }

  /**
   * A stretch of time.
   *
   * @param afterNanos when it begins, after the first request
   * @param forNanos how long it lasts
   */
  record Span(long afterNanos, long forNanos) {
    static final Span ALWAYS = new Span(0, Long.MAX_VALUE);

    boolean holds(long sinceFirstNanos) {
      return lasts(afterNanos, forNanos, sinceFirstNanos);
    }
  }

  /**
   * Streams go wrong in the middle.
   *
   * @param harm what happens to them
   * @param afterEvents events sent before
   * @param share which share of them, 0 to 1
   */
  record Stream(Harm harm, int afterEvents, double share) implements Fault {
    /** What happens to a stream. */
    public enum Harm {
      /** The connection is closed. */
      CUT,
      /** The next event is half an event; those after it are whole. */
      MALFORMED,
      /** The next event is an error, and the last but {@code [DONE]}. */
      ERROR
    }
  }

  /**
   * Some requests are refused.
   *
   * @param status the HTTP status they get
   * @param share which share of them, 0 to 1
   * @param when the time in which they are
   */
  record Refusal(int status, double share, Span when) implements Fault {
    /** What the client is told. */
    String words() {
      return status == TOO_MANY
          ? "Too many requests (a fault on demand)."
          : "The engine is unavailable (a fault on demand).";
    }
  }

  /** The status of a server that asks for fewer requests. */
  int TOO_MANY = 429;

  /** The status of a server that cannot serve now. */
  int UNAVAILABLE = 503;

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
   * Scrapes go wrong.
   *
   * @param harm what happens to them
   * @param when the time in which they do
   * @param byNanos how late a slow one is answered; 0 for the others
   */
  record Metrics(Harm harm, Span when, long byNanos) implements Fault {
    /** What happens to a scrape. */
    public enum Harm {
      /** It is answered with what the first of them was. */
      FROZEN,
      /** It is answered 503. */
      REFUSED,
      /** Its answer comes late. */
      SLOW,
      /** Its answer is cut in the middle. */
      TRUNCATED
    }
  }

  /**
   * Everything that counts begins at 0 again, in the first scrape after a moment.
   *
   * @param afterNanos when, after the first request
   */
  record CounterReset(long afterNanos) implements Fault {}

  /**
   * The server dies and comes back: what runs is lost, and nobody listens in between.
   *
   * @param down the time in between
   */
  record Restart(Span down) implements Fault {}

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
      implements Timed {}

  /**
   * Reads one of {@link FaultOptions#EXAMPLES}; {@code p}, {@code engine}, all but a factor of
   * {@code slow}, and the times of {@code http429} and {@code http503} may be left out.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Fault parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "a fault must not be empty: write one, as in stall:at=10s,for=2s, or leave it out");
    }
    FaultOptions options = FaultOptions.of(text);
    Fault fault =
        switch (options.kind()) {
          case "stall" ->
              new Stall(
                  options.nanos("at"), options.nanos("for"), options.engine(EVERY_ENGINE));
          case "admission" ->
              new Admission(
                  options.nanos("at"), options.nanos("for"), options.engine(EVERY_ENGINE));
          case "slow" -> slow(options);
          case "drop-token" -> new DropToken(options.whole("at"));
          case "cut" -> stream(Stream.Harm.CUT, options);
          case "malformed-chunk" -> stream(Stream.Harm.MALFORMED, options);
          case "error-event" -> stream(Stream.Harm.ERROR, options);
          case "http429" -> refusal(TOO_MANY, options);
          case "http503" -> refusal(UNAVAILABLE, options);
          case "restart" -> new Restart(span(options));
          case "counter-reset" -> new CounterReset(options.nanos("after"));
          case "metrics-hole" -> new Metrics(Metrics.Harm.REFUSED, span(options), 0);
          case "slow-metrics" ->
              new Metrics(Metrics.Harm.SLOW, span(options), options.nanos("by"));
          case "truncated-metrics" -> new Metrics(Metrics.Harm.TRUNCATED, span(options), 0);
          case "frozen-metrics" -> new Metrics(Metrics.Harm.FROZEN, span(options), 0);
          case "late-families" -> new LateFamilies();
          case "no-total" -> new NoTotal();
          default -> throw options.unreadable();
        };
    options.checkAllRead();
    return fault;
  }

  private static Fault slow(FaultOptions options) {
    if (!options.has("prefill") && !options.has("decode")) {
      throw new IllegalArgumentException(
          "slow must say what is slow and how much: write for example slow:decode=3");
    }
    return new Slow(
        options.factor("prefill"),
        options.factor("decode"),
        options.share("share"),
        options.engine(EVERY_ENGINE),
        options.has("at") ? options.nanos("at") : 0,
        options.has("for") ? options.nanos("for") : Long.MAX_VALUE);
  }

  private static Fault stream(Stream.Harm harm, FaultOptions options) {
    return new Stream(harm, Math.toIntExact(options.whole("after")), options.share("p"));
  }

  private static Fault refusal(int status, FaultOptions options) {
    boolean isTimed = options.has("after") || options.has("for");
    return new Refusal(status, options.share("p"), isTimed ? span(options) : Span.ALWAYS);
  }

  private static Span span(FaultOptions options) {
    return new Span(options.nanos("after"), options.nanos("for"));
  }
}
