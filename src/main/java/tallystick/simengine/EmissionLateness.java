package tallystick.simengine;

import org.HdrHistogram.ConcurrentHistogram;

/**
 * How much later than its step was planned to end each output was handed to the kernel.
 *
 * <p>A simulation in real time is as good as this is small. Threads: any.
 */
public final class EmissionLateness {
  private static final int DIGITS = 3; // of a quantile

  private final ConcurrentHistogram nanos = new ConcurrentHistogram(DIGITS);

  /** Takes one output's lateness. */
  void record(long lateNanos) {
    nanos.recordValue(Math.max(0, lateNanos));
  }

  /** Outputs so far: one for each stream and step. */
  public long count() {
    return nanos.getTotalCount();
  }

  /**
   * A quantile in milliseconds, 3 digits exact.
   *
   * @param share from 0 to 1
   */
  public double quantileMillis(double share) {
    return nanos.getValueAtPercentile(share * 100) / 1e6;
  }
}
