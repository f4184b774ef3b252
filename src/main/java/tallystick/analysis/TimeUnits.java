package tallystick.analysis;

/**
 * A stretch of time cut into equal units; what lies outside belongs to the first or the last.
 *
 * @param startNanos where the first begins
 * @param endNanos where the last ends, after the start
 * @param count how many there are
 */
record TimeUnits(long startNanos, long endNanos, int count) {
  /** Enough for thirty batches of two units. */
  static final int USUAL = 60;

  TimeUnits {
    if (endNanos <= startNanos || count < 1) {
      throw new IllegalArgumentException(
          "units need a length, was %d to %d in %d".formatted(startNanos, endNanos, count));
    }
  }

  /** The usual number of units from a window's origin to its end, as far as that is known. */
  static TimeUnits of(Window window, long lastNanos) {
    long origin = window.originNanos();
    return new TimeUnits(origin, Math.max(origin + 1, lastNanos), USUAL);
  }

  /** The unit a moment lies in. */
  int indexOf(long nanos) {
    double share = (double) (nanos - startNanos) / (endNanos - startNanos);
    return (int) Math.max(0, Math.min(count - 1, share * count));
  }
}
