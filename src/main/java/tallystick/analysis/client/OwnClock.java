package tallystick.analysis.client;

import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.RequestRow;

/**
 * A clock that stands still while the client did. What passes on it between two moments is the
 * least that can have passed for the server: a stamp that a pause held up belongs anywhere in it.
 */
final class OwnClock {
  static final OwnClock STEADY = new OwnClock(new TreeMap<>());

  /** From the begin of a pause: its end, and how long all before it were. */
  private final TreeMap<Long, Pause> pauses = new TreeMap<>();

  private record Pause(long endNanos, long stoodNanos) {}

  /** A clock that stands still in these stretches, from begin to end; no two of them touch. */
  OwnClock(TreeMap<Long, Long> stretches) {
    long stood = 0;
    for (Map.Entry<Long, Long> one : stretches.entrySet()) {
      pauses.put(one.getKey(), new Pause(one.getValue(), stood));
      stood += one.getValue() - one.getKey();
    }
  }

  boolean neverStands() {
    return pauses.isEmpty();
  }

  /** What it shows at a moment after the run's origin. */
  long at(long nanos) {
    Map.Entry<Long, Pause> last = pauses.floorEntry(nanos);
    return last == null
        ? nanos
        : nanos
            - last.getValue().stoodNanos
            - (Math.min(nanos, last.getValue().endNanos) - last.getKey());
  }

  RequestRow of(RequestRow row) {
    return neverStands() ? row : row.onClock(this::at);
  }
}
