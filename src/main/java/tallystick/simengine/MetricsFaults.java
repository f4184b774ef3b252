package tallystick.simengine;

import java.util.List;

/**
 * What goes wrong with the exposition on demand; times count from the first request, so that a test
 * knows what load they fall into.
 *
 * <p>Threads: any.
 */
final class MetricsFaults {
  private static final long NEVER = Long.MAX_VALUE;

  private final List<Fault> faults;
  private long firstRequestNanos = NEVER;

  MetricsFaults(List<Fault> faults) {
    this.faults = List.copyOf(faults);
  }

  /** A request to generate has come. */
  synchronized void requestCame(long nowNanos) {
    firstRequestNanos = Math.min(firstRequestNanos, nowNanos);
  }

  /** Whether a request has come. */
  synchronized boolean hasBegun() {
    return firstRequestNanos != NEVER;
  }

  /** Whether families come with the first request. */
  boolean isWorker() {
    return faults.stream().anyMatch(Fault.LateFamilies.class::isInstance);
  }

  /** Whether scrapes are answered with what an earlier one was. */
  boolean areFrozen(long nowNanos) {
    return faults.stream()
        .anyMatch(
            fault ->
                fault instanceof Fault.FrozenMetrics(long after, long length)
                    && isWithin(nowNanos, after, length));
  }

  /** Whether scrapes are refused. */
  boolean areUnavailable(long nowNanos) {
    return faults.stream()
        .anyMatch(
            fault ->
                fault instanceof Fault.MetricsHole(long after, long length)
                    && isWithin(nowNanos, after, length));
  }

  private synchronized boolean isWithin(long nowNanos, long afterNanos, long lengthNanos) {
    long since = hasBegun() ? nowNanos - firstRequestNanos : -1;
    return since >= afterNanos && since < afterNanos + lengthNanos;
  }
}
