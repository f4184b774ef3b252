package tallystick.scrape;

import java.util.function.LongSupplier;
import tallystick.runrecord.RunClock;

/** A run's clock that a test sets. */
final class MovedClock {
  private MovedClock() {}

  static RunClock of(long originUtcNanos, LongSupplier nanos) {
    boolean[] hasBegun = {false}; // at its origin every clock shows 0
    RunClock clock =
        RunClock.virtual(originUtcNanos, () -> hasBegun[0] ? nanos.getAsLong() : 0);
    hasBegun[0] = true;
    return clock;
  }
}
