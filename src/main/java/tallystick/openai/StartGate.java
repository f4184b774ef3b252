package tallystick.openai;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds a thread until a moment and never lets it go before. A sleeper wakes some tens of
 * microseconds late, which would be in every time to first token; so the last stretch is not slept
 * but waited out, by one thread at a time. Threads: any.
 */
final class StartGate {
  private static final long WAKEFUL_NANOS = 100_000L;

  private final Semaphore wakeful = new Semaphore(1);

  /**
   * Waits for the moment.
   *
   * @param nanoTime {@code System.nanoTime()} of it; one that is past is not waited for
   * @return the {@code System.nanoTime()} at which the wait was over
   */
  long await(long nanoTime) {
    long now = System.nanoTime();
    while (nanoTime - now > WAKEFUL_NANOS) {
      LockSupport.parkNanos(nanoTime - now - WAKEFUL_NANOS);
      now = System.nanoTime();
    }
    if (nanoTime - now > 0 && wakeful.tryAcquire()) {
      while (nanoTime - now > 0) {
        Thread.onSpinWait();
        now = System.nanoTime();
      }
      wakeful.release();
    }
    while (nanoTime - now > 0) {
      LockSupport.parkNanos(nanoTime - now);
      now = System.nanoTime();
    }
    return now;
  }
}
