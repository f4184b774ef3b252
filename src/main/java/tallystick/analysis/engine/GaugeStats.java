package tallystick.analysis.engine;

import tallystick.analysis.result.GaugeRange;

/** Minimum, mean, maximum and last value of a gauge. */
public final class GaugeStats {
  private double minimum = Double.POSITIVE_INFINITY;
  private double maximum = Double.NEGATIVE_INFINITY;
  private double sum;
  private double last = Double.NaN;
  private long count;

  public void add(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
    sum += value;
    last = value;
    count++;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  boolean isAlwaysZero() {
    return count > 0 && minimum == 0 && maximum == 0;
  }

  public GaugeRange range() {
    return new GaugeRange(minimum, sum / count, maximum, last);
  }
}
