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

  private static final int LIMIT = 10_000;

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
