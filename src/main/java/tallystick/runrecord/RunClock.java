package tallystick.runrecord;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The client's monotonic clock, counted from the run's origin; the only clock of a record. */
public final class RunClock {
  private final LongSupplier nanoTime;
  private final LongSupplier wall;
  private final long originNanoTime;
  private final long originUtcNanos;

  private RunClock(LongSupplier nanoTime, LongSupplier wall) {
    this.nanoTime = nanoTime;
    this.wall = wall;
    this.originNanoTime = nanoTime.getAsLong();
    this.originUtcNanos = wall.getAsLong();
  }

  /** A clock whose origin is this moment. */
  public static RunClock start() {
    return new RunClock(System::nanoTime, RunClock::utcNanos);
  }

  /**
   * A clock that a simulation moves on.
   *
   * @param originUtcNanos what the simulation calls its beginning, UTC nanoseconds since 1970
   * @param nanos virtual nanoseconds since then; read by any thread
   */
  public static RunClock virtual(long originUtcNanos, LongSupplier nanos) {
    return new RunClock(nanos, () -> originUtcNanos + nanos.getAsLong());
  }

  /** Nanoseconds after the origin. */
  public long nanos() {
    return nanoTime.getAsLong() - originNanoTime;
  }

  /** Nanoseconds after the origin of a {@code System.nanoTime()} value. */
  public long fromNanoTime(long nanoTime) {
    return nanoTime - originNanoTime;
  }

  /** The origin as UTC nanoseconds since 1970. */
  public long originUtcNanos() {
    return originUtcNanos;
  }

  /** What this clock's wall says now, UTC nanoseconds since 1970. */
  public long wallNanos() {
    return wall.getAsLong();
  }

  /** The wall clock's own reading, UTC nanoseconds since 1970. */
  public static long utcNanos() {
    Instant instant = Instant.now();
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }
}
