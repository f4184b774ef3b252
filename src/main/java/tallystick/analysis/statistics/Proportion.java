package tallystick.analysis.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * A share with its Wilson score interval, without continuity correction.
 *
 * @param low lower end
 * @param high upper end
 */
public record Proportion(double low, double high) {
  /** Two-sided confidence of every judgement: each side 5 %. */
  public static final double CONFIDENCE = 0.9;

  /**
   * The interval of {@code good} of {@code count}; counts need not be whole, so that an effective
   * count may be used.
   *
   * @throws IllegalArgumentException if there is nothing to judge
   */
  public static Proportion wilson(double good, double count, double confidence) {
    if (!(count > 0)) {
      throw new IllegalArgumentException("a share needs a count > 0, was " + count);
    }
    NormalDistribution normal = new NormalDistribution(null, 0, 1);
    double z = normal.inverseCumulativeProbability((1 + confidence) / 2);
    double share = good / count;
    double spread = z * z / count;
    double centre = (share + spread / 2) / (1 + spread);
    double half = z / (1 + spread) * Math.sqrt(share * (1 - share) / count + spread / (4 * count));
    // At the ends the formula gives 0 and 1 only up to rounding.
    double low = good <= 0 ? 0 : Math.max(0, centre - half);
    double high = good >= count ? 1 : Math.min(1, centre + half);
    return new Proportion(low, high);
  }
}
