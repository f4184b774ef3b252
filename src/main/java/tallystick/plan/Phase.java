package tallystick.plan;

import java.util.Objects;

/**
 * A named stretch of the plan that later stages judge apart.
 *
 * @param name for example {@code warmup}, {@code main}, {@code step-3}
 * @param warmup whether its requests are discarded; a warm-up has its own origin and ledger
 * @param startNanos start after the origin of the measured window (of the warm-up for a warm-up)
 * @param endNanos end after the same origin; arrivals lie in [start, end)
 * @param requestsPerSecond the offered rate; 0 where it is not a constant or the loop is closed
 */
public record Phase(
    String name, boolean warmup, long startNanos, long endNanos, double requestsPerSecond) {
  /** Name of the discarded phase; no other has it. */
  public static final String WARMUP = "warmup";

  public Phase {
    Objects.requireNonNull(name);
  }
}
