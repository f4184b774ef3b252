package tallystick.run;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

/** Knows which requests' spans have not come yet. Threads: any. */
final class SpanWait {
  /** Spans of strangers kept in case their request ends later; beyond it they are forgotten. */
  private static final int EARLY_LIMIT = 1 << 16;

  private final Set<TraceId> missing = new HashSet<>();
  private final Set<TraceId> early = new HashSet<>();

  /** A request that ended well leaves a span; how many others do is the engine's affair. */
  synchronized void see(RequestRow row) {
    if (row.ending().outcome() != Outcome.OK) {
      return;
    }
    TraceId trace = TraceId.of(row.requestId());
    if (!early.remove(trace)) {
      missing.add(trace);
    }
  }

  synchronized void see(SpanRow span) {
    if (missing.remove(span.traceId())) {
      notifyAll();
    } else if (early.size() < EARLY_LIMIT) {
      early.add(span.traceId());
    }
  }

  /** Waits until every span is there or the time is over. */
  synchronized void await(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; !missing.isEmpty() && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Requests that ended well and whose span has not come. */
  synchronized int missing() {
    return missing.size();
  }
}
