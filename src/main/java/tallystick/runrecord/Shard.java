package tallystick.runrecord;

import tallystick.plan.Phase;
import tallystick.plan.Plan;

/**
 * Which part of a run a record holds, and how it stood to the common start; {@code shard.json}.
 * Moments are UTC nanoseconds since 1970 on the clock of the shard's own machine.
 *
 * @param index from 0
 * @param count how many shards the run has
 * @param startUtcNanos origin of the warm-up, or of the window where there is none
 * @param windowUtcNanos origin of the measured window
 * @param readyUtcNanos when the shard stood ready; 0 while it does not
 * @param clock the target's clock beside this machine's, before the start
 */
public record Shard(
    int index,
    int count,
    long startUtcNanos,
    long windowUtcNanos,
    long readyUtcNanos,
    ClockBracket clock) {
  /** How long before its moments a shard stands ready: the engine is to be idle meanwhile. */
  public static final long LEAD_NANOS = 5_000_000_000L;

  /** Most shards of a run. */
  public static final int MOST = 1_000;

  public Shard {
    if (count < 1 || count > MOST || index < 0 || index >= count) {
      throw new IllegalArgumentException("there is no shard " + index + " of " + count);
    }
    clock = clock == null ? ClockBracket.UNKNOWN : clock;
  }

  /**
   * A shard that has not begun.
   *
   * @param drainNanos between the end of the warm-up's arrivals and the window
   */
  public static Shard planned(int index, int count, Plan plan, long startNanos, long drainNanos) {
    long warmup =
        plan.settings().phases().stream()
            .filter(Phase::warmup)
            .mapToLong(phase -> drainNanos + boundedNanos(phase))
            .sum();
    return new Shard(index, count, startNanos, startNanos + warmup, 0, ClockBracket.UNKNOWN);
  }

  private static long boundedNanos(Phase phase) {
    return phase.endNanos() < Long.MAX_VALUE / 8 ? phase.endNanos() : 0;
  }

  /** The same, standing ready. */
  public Shard ready(long utcNanos, ClockBracket bracket) {
    return new Shard(index, count, startUtcNanos, windowUtcNanos, utcNanos, bracket);
  }

  /** Whether another shard belongs to the same run, as far as the two tell. */
  public boolean isOfOneRun(Shard other) {
    return count == other.count
        && startUtcNanos == other.startUtcNanos
        && windowUtcNanos == other.windowUtcNanos;
  }

  /** Whether it is the one that reads the engines' metrics. */
  public boolean scrapes() {
    return index == 0;
  }

  /** For a reader. */
  public String words() {
    return "shard " + index + " of " + count;
  }
}
