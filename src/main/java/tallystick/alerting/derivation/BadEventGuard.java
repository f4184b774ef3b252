package tallystick.alerting.derivation;

import java.util.Locale;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * How many bad events a burn-rate alert must have seen before it may fire. A guard on all events
 * would also mute a total outage at low traffic; this one does not.
 */
public final class BadEventGuard {
  private static final double MOST_CHANCE = 1e-4; // of firing on exactly the target
  private static final int SLOWEST = 20; // by convention, see below
  /** At factor 1 half of all healthy hours pass the ratio; no number of events helps. */
  static final double LEAST_FACTOR = 2;

  private BadEventGuard() {}

  /**
   * The smallest count k such that, on exactly the target, no number of events too few to hold
   * k without passing the ratio has a chance above 1 in 10,000 of k bad ones.
   *
   * @param target share that must be good, for example 0.99
   * @param factor the burn factor; below 2 the count is 20 by convention
   * @throws IllegalArgumentException if the alert could never fire
   */
  public static int leastBadEvents(double target, double factor) {
    double ratio = factor * (1 - target);
    if (!(ratio < 1)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "factor * (1 - target) must be < 1, was %.3g: the alert could never fire",
              ratio));
    }
    if (factor < LEAST_FACTOR) {
      return SLOWEST;
    }
    int count = 1;
    while (chance(count, ratio, 1 - target) > MOST_CHANCE) {
      count++;
    }
    return count;
  }

  /** Chance of {@code count} bad events among as many as just do not hide them in the ratio. */
  private static double chance(int count, double ratio, double badShare) {
    int events = (int) Math.ceil(count / ratio) - 1;
    return 1 - new BinomialDistribution(null, events, badShare).cumulativeProbability(count - 1);
  }
}
