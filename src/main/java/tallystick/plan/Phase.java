package tallystick.plan;

import java.util.Objects;

/**
 * A named stretch of the plan that later stages judge apart.
 *
 * @param name for example {@code warmup}, {@code main}, {@code step-3}
 * @param warmup whether its requests are discarded; a warm-up has its own origin and ledger
 * @param startNanos start after the origin of the measured window (of the warm-up for a warm-up)
 * @param endNanos end after the same origin; arrivals lie in [start, end)
 * @param requestsPerSecond the offered rate, of a part of a ramp its mean; 0 where nobody can name
 *     one or the loop is closed
 * @param ramp whether it is a part of a ramp, in which the rate goes on changing
 */
public record Phase(
    String name,
    boolean warmup,
    long startNanos,
    long endNanos,
    double requestsPerSecond,
    boolean ramp) {
  /** Name of the discarded phase; no other has it. */
  public static final String WARMUP = "warmup";

  public Phase {
    Objects.requireNonNull(name);
  }

  /** A phase of one rate, or of none that can be named. */
  public Phase(
      String name, boolean warmup, long startNanos, long endNanos, double requestsPerSecond) {
    this(name, warmup, startNanos, endNanos, requestsPerSecond, false);
  }

  /** Whether it is measured at one rate. */
  public boolean hasOneRate() {
    return !warmup && !ramp && requestsPerSecond > 0;
  }
}
