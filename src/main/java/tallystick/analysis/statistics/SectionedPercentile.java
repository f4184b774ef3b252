package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import tallystick.analysis.result.Interval;

/**
 * A percentile and how far one such run lies from the long run: sectioning (Asmussen and Glynn,
 * Stochastic Simulation, 2007, III.4), on logarithms because latencies are skewed. Time is cut into
 * ten equal sections; how their percentiles spread around that of all, widened where neighbours are
 * alike, is the error. Unlike order statistics it never runs out of samples.
 *
 * @param logNanos logarithm of the percentile in nanoseconds
 * @param error standard error of that; infinite where too few sections hold samples, NaN where the
 *     percentile of one of them never came
 * @param freedom degrees of freedom of the error
 */
public record SectionedPercentile(double logNanos, double error, int freedom) {
  /** Student's t with 9 degrees of freedom; fewer sections widen it, more hold too few requests. */
  private static final int SECTIONS = 10;

  /** Fewer sections with samples tell nothing of their spread. */
  private static final int FEWEST = 4;

  /** What a cell of 3 % hides of a section's percentile, as a variance. */
  private static final double CELL_VARIANCE = 0.03 * 0.03 / 12;

  /** Of so few sections a correlation beyond this cannot be told from one of them being odd. */
  private static final double MOST_ALIKE = 0.5;

  /** The percentile of samples at a level. */
  public static SectionedPercentile of(TimedSamples samples, double level) {
    UnitHistogram units = samples.units();
    long nanos = samples.samples().atRank(OrderStatistics.rank(level, samples.count()));
    UnitHistogram.Stretch used = units.used();
    double centre = Math.log(units.quantileNanos(used, level));
    double[] logs = new double[SECTIONS];
    int sections = 0;
    for (int i = 0; i < SECTIONS; i++) {
      double quantile = units.quantileNanos(used.part(i, SECTIONS), level);
      if (!Double.isNaN(quantile)) {
        logs[sections++] = Math.log(quantile);
      }
    }
    double logNanos = Math.log(Math.max(1, nanos));
    double error =
        sections < FEWEST
            ? Double.POSITIVE_INFINITY
            : error(Arrays.copyOf(logs, sections), centre);
    return new SectionedPercentile(logNanos, error, Math.max(1, sections - 1));
  }

  private static double error(double[] logs, double centre) {
    double squares = 0;
    for (double log : logs) {
      squares += (log - centre) * (log - centre);
    }
    double alike = Math.clamp(SteadyMean.autocorrelation(logs), 0, MOST_ALIKE);
    double variance = squares / (logs.length - 1) + CELL_VARIANCE;
    return Math.sqrt(variance / logs.length * (1 + alike) / (1 - alike));
  }

  /**
   * How sure it is that the long run's percentile lies on that side of a limit on which this one
   * lies: Student's t, between one half and 1.
   *
   * @param times how many times as long the run would be
   */
  double side(long limitNanos, double times) {
    double distance = Math.log(Math.max(1, limitNanos)) - logNanos;
    double scale = error / Math.sqrt(times);
    return Double.isInfinite(error)
        ? 0.5
        : new TDistribution(null, freedom).cumulativeProbability(Math.abs(distance) / scale);
  }

  /** Whether so many requests failed, at some time, that the percentile has no length. */
  boolean isEndless() {
    return Double.isNaN(error);
  }

  /** The percentile in seconds with an interval; without one where no error is known. */
  public Interval interval(double confidence) {
    if (!Double.isFinite(error)) {
      return Interval.missing(
          isEndless() ? "failed requests reach it" : "too few stretches of time hold samples");
    }
    double t = new TDistribution(null, freedom).inverseCumulativeProbability((1 + confidence) / 2);
    return Interval.of(
        Math.exp(logNanos) / 1e9, Math.exp(logNanos - t * error) / 1e9,
        Math.exp(logNanos + t * error) / 1e9);
  }
}
