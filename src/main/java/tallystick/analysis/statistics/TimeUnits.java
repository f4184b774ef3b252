package tallystick.analysis.statistics;

/**
 * A stretch of time cut into equal units; what lies outside belongs to the first or the last.
 *
 * @param startNanos where the first begins
 * @param endNanos where the last ends, after the start
 * @param count how many there are
 */
public record TimeUnits(long startNanos, long endNanos, int count) {
  /** Enough for thirty batches of two units. */
  public static final int USUAL = 60;

  public TimeUnits {
    if (endNanos <= startNanos || count < 1) {
      throw new IllegalArgumentException(
          "units need a length, was %s to %s in %s".formatted(startNanos, endNanos, count));
    }
  }

  /** The usual number of units between two moments; at least a nanosecond. */
  public static TimeUnits between(long startNanos, long endNanos) {
    return new TimeUnits(startNanos, Math.max(startNanos + 1, endNanos), USUAL);
  }

  /** The unit a moment lies in. */
  int indexOf(long nanos) {
    double share = (double) (nanos - startNanos) / (endNanos - startNanos);
    return (int) Math.max(0, Math.min(count - 1, share * count));
  }
}
