package tallystick.scrape;

import java.util.concurrent.TimeUnit;
import tallystick.runrecord.RunClock;

/** A clock that can be waited on; tests put virtual time in its place. */
public interface Pace {
  /** Nanoseconds after the run's origin. */
  long nanos();

  /** Returns at {@code nanos} after the run's origin, at once if that is past. */
  void sleepUntil(long nanos) throws InterruptedException;

  /** The real time of a run. */
  static Pace of(RunClock clock) {
    return new Pace() {
      @Override
      public long nanos() {
        return clock.nanos();
      }

      @Override
      public void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - clock.nanos());
      }
    };
  }
}
