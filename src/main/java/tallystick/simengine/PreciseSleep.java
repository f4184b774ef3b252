package tallystick.simengine;

import java.util.concurrent.locks.LockSupport;

/** Waits for a moment to within a few microseconds: sleeps first and spins the rest. */
final class PreciseSleep {
  /** A park returns this much late on an idle Linux; the rest is spun. */
  private static final long PARK_LATENESS_NANOS = 60_000;

  private PreciseSleep() {}

  /** Returns at a moment that {@link System#nanoTime} tells, at once if it is past. */
  static void until(long nanoTime) {
    long left = nanoTime - System.nanoTime();
    while (left > 0) {
      if (left > PARK_LATENESS_NANOS) {
        LockSupport.parkNanos(left - PARK_LATENESS_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = nanoTime - System.nanoTime();
    }
  }
}
