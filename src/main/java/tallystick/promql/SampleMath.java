package tallystick.promql;

import java.util.Arrays;
import java.util.Comparator;

/** What Prometheus computes from several samples: quantile, variance, line. */
final class SampleMath {
  private SampleMath() {}

  /** The quantile by linear interpolation between ranks; a NaN is the smallest value. */
  static double quantile(double level, double[] values) {
    if (values.length == 0 || Double.isNaN(level)) {
      return Double.NaN;
    }
    if (level < 0 || level > 1) {
      return level < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double[] sorted = nanFirst(values);
    double rank = level * (sorted.length - 1);
    int lower = (int) Math.max(0, Math.floor(rank));
    int upper = Math.min(sorted.length - 1, lower + 1);
    double weight = rank - Math.floor(rank);
    return sorted[lower] * (1 - weight) + sorted[upper] * weight;
  }

  private static double[] nanFirst(double[] values) {
    return Arrays.stream(values)
        .boxed()
        .sorted(Comparator.comparing((Double one) -> !one.isNaN()).thenComparing(one -> one))
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** In the order of the values, as Prometheus adds: its rounding is part of the answer. */
  static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  /** The largest value for a sign of 1, the smallest for -1; a NaN loses against any number. */
  static double extreme(double[] values, int sign) {
    double extreme = values[0];
    for (double value : values) {
      if (sign * value > sign * extreme || Double.isNaN(extreme)) {
        extreme = value;
      }
    }
    return extreme;
  }

  /** The variance of all values, not of a sample of them. */
  static double variance(double[] values) {
    double count = 0;
    double mean = 0;
    double squares = 0;
    for (double value : values) {
      count++;
      double delta = value - mean;
      mean += delta / count;
      squares += delta * (value - mean);
    }
    return squares / count;
  }

  /** A line through samples: value at the origin, and growth per second. */
  record Line(double intercept, double slope) {}

  /** The least-squares line of at least two samples, times counted from an origin. */
  static Line line(Window window, long originMillis) {
    double first = window.value(0);
    if (Arrays.stream(window.values()).allMatch(value -> value == first)) {
      double slope = Double.isInfinite(first) ? Double.NaN : 0;
      return new Line(Double.isInfinite(first) ? Double.NaN : first, slope);
    }
    int n = window.size();
    double meanTime = 0;
    double meanValue = 0;
    for (int i = 0; i < n; i++) {
      meanTime += (window.millis(i) - originMillis) / 1e3 / n;
      meanValue += window.value(i) / n;
    }
    double products = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double time = (window.millis(i) - originMillis) / 1e3 - meanTime;
      products += time * (window.value(i) - meanValue);
      squares += time * time;
    }
    double slope = products / squares;
    return new Line(meanValue - slope * meanTime, slope);
  }
}
