package tallystick.scrape;

import tallystick.runrecord.RunClock;

/** The run's origin on both clocks; tests put fixed times in its place. */
interface Origin {
  /** Nanoseconds after the origin. */
  long nanos();

  /** The origin as UTC nanoseconds since 1970. */
  long utcNanos();

  /** The origin of a real run. */
  static Origin of(RunClock clock) {
    return new Origin() {
      @Override
      public long nanos() {
        return clock.nanos();
      }

      @Override
      public long utcNanos() {
        return clock.originUtcNanos();
      }
    };
  }
}
