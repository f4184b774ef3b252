package tallystick.analysis.result;

import java.util.List;

/**
 * An exact distribution of client-side samples, in seconds.
 *
 * @param count number of samples
 * @param mean arithmetic mean
 * @param minimum smallest sample
 * @param maximum largest sample
 * @param percentiles P50, P90, P95, P99, P99.9 in this order, each with its existence rule
 * @param relativeError largest relative error of the percentiles; 0 where they are exact. Count,
 *     mean, minimum and maximum are always exact.
 */
public record Distribution(
    long count,
    Figure mean,
    Figure minimum,
    Figure maximum,
    List<Percentile> percentiles,
    double relativeError) {
  /** Why nothing is known of the moments of an answer's tokens that came whole. */
  public static final String NOT_STREAMED = "answers were not streamed";

  /**
   * One order statistic {@code x_(ceil(q n))}; never interpolated. Source: method in
   * docs/metrics.md#percentiles.
   *
   * @param level q, for example 0.99
   * @param value the order statistic, or why the data cannot carry it
   * @param low lower end of the 95 % confidence interval, from as many independent samples as
   *     these are worth
   * @param high upper end of it
   * @param noisy whether the tail mass is known worse than to ±50 %
   * @param independentCount how many independent samples these are worth at this level
   */
  public record Percentile(
      double level, Figure value, Figure low, Figure high, boolean noisy,
      Figure independentCount) {}

  public Distribution {
    percentiles = List.copyOf(percentiles);
  }

  /** A percentile, or why there is none. */
  public Figure percentile(double level) {
    return percentiles.stream()
        .filter(percentile -> percentile.level() == level)
        .map(Percentile::value)
        .findFirst()
        .orElseGet(() -> Figure.missing("not computed"));
  }
}
