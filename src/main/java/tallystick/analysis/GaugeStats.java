package tallystick.analysis;

/** Minimum, mean, maximum and last value of a gauge. */
final class GaugeStats {
  private double minimum = Double.POSITIVE_INFINITY;
  private double maximum = Double.NEGATIVE_INFINITY;
  private double sum;
  private double last = Double.NaN;
  private long count;

  void add(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
    sum += value;
    last = value;
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  RunAnalysis.GaugeRange range() {
    return new RunAnalysis.GaugeRange(minimum, sum / count, maximum, last);
  }
}
