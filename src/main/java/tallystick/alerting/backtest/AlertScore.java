package tallystick.alerting.backtest;

import java.util.List;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;

/**
 * How one alert did over all runs.
 *
 * @param alert its name
 * @param episodes times users suffered
 * @param found episodes in which it fired
 * @param firings times it fired
 * @param falseFirings times it fired with no episode within five minutes
 * @param delaysSeconds from an episode's onset to the first firing, ascending; negative is early
 * @param healthySeconds time outside of episodes and their surroundings
 */
public record AlertScore(
    String alert,
    int episodes,
    int found,
    int firings,
    int falseFirings,
    List<Double> delaysSeconds,
    double healthySeconds) {
  private static final double DAY = 86_400;
  private static final double CONFIDENCE = 0.95;

  public AlertScore {
    delaysSeconds = delaysSeconds.stream().sorted().toList();
  }

  /** Share of firings that were right, each episode counted once; NaN if it never fired. */
  public double precision() {
    return found / (double) (found + falseFirings);
  }

  /** Share of episodes in which it fired; NaN without episodes. */
  public double recall() {
    return found / (double) episodes;
  }

  /** The delay that a share of the found episodes did not exceed; NaN if none was found. */
  public double delaySeconds(double level) {
    int size = delaysSeconds.size();
    return size == 0
        ? Double.NaN
        : delaysSeconds.get(Math.max(0, (int) Math.ceil(level * size) - 1));
  }

  /** False firings per 24 hours of health; NaN without healthy time. */
  public double falsePerDay() {
    return falseFirings * DAY / healthySeconds;
  }

  /**
   * Upper 95 % bound of the rate of false firings per 24 hours of health, from the exact Poisson
   * interval: with none in h hours it is 3/h an hour.
   */
  public double falsePerDayBound() {
    double most =
        new ChiSquaredDistribution(null, 2.0 * (falseFirings + 1))
                .inverseCumulativeProbability(CONFIDENCE)
            / 2;
    return most * DAY / healthySeconds;
  }

  /** Leading, coincident or trailing, by the median delay; unknown if none was found. */
  public String timing() {
    double middle = delaySeconds(0.5);
    if (Double.isNaN(middle)) {
      return "unknown";
    }
    if (Math.abs(middle) <= 60) {
      return "coincident";
    }
    return middle < 0 ? "leading" : "trailing";
  }
}
