package tallystick.promql;

import java.util.Arrays;

/** The samples of one series in ascending time; milliseconds, as Prometheus stores them. */
public final class StoredSeries {
  private static final long STALE_BITS = 0x7ff0000000000002L; // Prometheus' stale marker
  private static final int FIRST_CAPACITY = 16; // capacity

  /** The marker Prometheus writes when a series vanished from a scrape or an evaluation. */
  public static final double STALE = Double.longBitsToDouble(STALE_BITS);

  private final Labels labels;
  private long[] millis = new long[FIRST_CAPACITY];
  private double[] values = new double[FIRST_CAPACITY];
  private int size;

  StoredSeries(Labels labels) {
    this.labels = labels;
  }

  /** Whether a value is the staleness marker, not an ordinary NaN. */
  public static boolean isStale(double value) {
    return Double.doubleToRawLongBits(value) == STALE_BITS;
  }

  /** Whose samples these are. */
  public Labels labels() {
    return labels;
  }

  /** Number of samples, staleness markers included. */
  public int size() {
    return size;
  }

  /** Time of a sample. */
  public long millis(int index) {
    return millis[index];
  }

  /** Value of a sample; may be NaN, infinite or {@link #STALE}. */
  public double value(int index) {
    return values[index];
  }

  /**
   * Adds a sample behind the last one.
   *
   * @throws IllegalArgumentException if it is not later than the last one
   */
  void append(long atMillis, double value) {
    if (size > 0 && atMillis <= millis[size - 1]) {
      throw new IllegalArgumentException(
          labels + " has a sample at " + millis[size - 1] + " ms, so none fits at " + atMillis);
    }
    if (size == millis.length) {
      millis = Arrays.copyOf(millis, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    millis[size] = atMillis;
    values[size] = value;
    size++;
  }

  /** Index of the first sample at or after a time; {@link #size()} if there is none. */
  int firstAtOrAfter(long atMillis) {
    int found = Arrays.binarySearch(millis, 0, size, atMillis);
    return found >= 0 ? found : -found - 1;
  }
}
