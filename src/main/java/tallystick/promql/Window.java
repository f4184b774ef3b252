package tallystick.promql;

import java.util.Arrays;

/**
 * The samples a range selector sees: no staleness markers, ascending in time.
 *
 * @param times milliseconds
 * @param values as many as times
 */
public record Window(long[] times, double[] values) {
  public Window {
    if (times.length != values.length) {
      throw new IllegalArgumentException(times.length + " times but " + values.length + " values");
    }
  }

  /** The samples of a series in the range that ends at {@code endMillis}. */
  static Window of(
      StoredSeries series, long endMillis, long rangeMillis, PrometheusVersion version) {
    long start = endMillis - rangeMillis + (version.isLeftOpen() ? 1 : 0);
    int from = series.firstAtOrAfter(start);
    int to = series.firstAtOrAfter(endMillis + 1);
    long[] times = new long[Math.max(0, to - from)];
    double[] values = new double[times.length];
    int size = 0;
    for (int i = from; i < to; i++) {
      if (!StoredSeries.isStale(series.value(i))) {
        times[size] = series.millis(i);
        values[size++] = series.value(i);
      }
    }
    return new Window(Arrays.copyOf(times, size), Arrays.copyOf(values, size));
  }

  /** Number of samples. */
  public int size() {
    return times.length;
  }

  /** Time of a sample. */
  public long millis(int index) {
    return times[index];
  }

  /** Value of a sample. */
  public double value(int index) {
    return values[index];
  }
}
