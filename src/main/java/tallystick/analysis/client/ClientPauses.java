package tallystick.analysis.client;

import java.util.Map;
import java.util.TreeMap;

/**
 * When the load process did not run although it wanted to; nanoseconds after the run's origin. A
 * collection and the stall that it made are one and the same time.
 */
public final class ClientPauses {
  /** Shorter ones cannot make a stall that anybody counts. */
  private static final long SHORTEST_NANOS = 20_000_000L;

  public static final double SHORTEST_SECONDS = SHORTEST_NANOS / 1e9;

  private static final int LIMIT = 100_000; // half an hour of the shortest

  /** A pause is noted from when a sleep of so long should have ended in it. */
  private static final long SLEEP_NANOS = 5_000_000L;

  /** From begin to end; no two of them touch. */
  private final TreeMap<Long, Long> stretches = new TreeMap<>();

  /** Takes a stretch that ended then and was so long. */
  void add(long endNanos, long lengthNanos) {
    if (lengthNanos < SHORTEST_NANOS || stretches.size() >= LIMIT) {
      return;
    }
    long from = endNanos - lengthNanos;
    long to = endNanos;
    Map.Entry<Long, Long> before = stretches.floorEntry(to);
    while (before != null && before.getValue() >= from) {
      from = Math.min(from, before.getKey());
      to = Math.max(to, before.getValue());
      stretches.remove(before.getKey());
      before = stretches.floorEntry(to);
    }
    stretches.put(from, to);
  }

  /**
   * A clock that stands still in each pause, and as long again after it: what was put off comes
   * together then, and an engine that carries the load works it off in about that time.
   */
  OwnClock clock() {
    ClientPauses wide = new ClientPauses();
    stretches.forEach(
        (from, to) -> wide.add(to + (to - from), 2 * (to - from) + SLEEP_NANOS));
    return new OwnClock(wide.stretches);
  }

  /** Time of a stretch in which the process stood still. */
  public long nanosWithin(long fromNanos, long toNanos) {
    Long first = stretches.floorKey(fromNanos);
    long still = 0;
    for (Map.Entry<Long, Long> each :
        stretches.subMap(first == null ? fromNanos : first, true, toNanos, true).entrySet()) {
      still += Math.max(0, Math.min(toNanos, each.getValue()) - Math.max(fromNanos, each.getKey()));
    }
    return still;
  }

  /** Whether it stood still for half of a stretch or more. */
  public boolean isMostOf(long fromNanos, long toNanos) {
    return nanosWithin(fromNanos, toNanos) * 2 >= toNanos - fromNanos;
  }
}
