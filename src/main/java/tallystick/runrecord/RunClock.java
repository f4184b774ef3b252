package tallystick.runrecord;

import java.time.Instant;

/** The client's monotonic clock, counted from the run's origin; the only clock of a record. */
public final class RunClock {
  private final long originNanoTime;
  private final long originUtcNanos;

  private RunClock(long originNanoTime, long originUtcNanos) {
    this.originNanoTime = originNanoTime;
    this.originUtcNanos = originUtcNanos;
  }

  /** A clock whose origin is this moment. */
  public static RunClock start() {
    return new RunClock(System.nanoTime(), utcNanos());
  }

  /** Nanoseconds after the origin. */
  public long nanos() {
    return System.nanoTime() - originNanoTime;
  }

  /** The value {@code System.nanoTime()} has when {@link #nanos()} is {@code nanos}. */
  public long toNanoTime(long nanos) {
    return originNanoTime + nanos;
  }

  /** Nanoseconds after the origin of a {@code System.nanoTime()} value. */
  public long fromNanoTime(long nanoTime) {
    return nanoTime - originNanoTime;
  }

  /** The origin as UTC nanoseconds since 1970. */
  public long originUtcNanos() {
    return originUtcNanos;
  }

  /** The wall clock's own reading, UTC nanoseconds since 1970. */
  public static long utcNanos() {
    Instant instant = Instant.now();
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }
}
