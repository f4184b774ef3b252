package tallystick.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import tallystick.scenario.Arrival;
import tallystick.scenario.Rate;

/** Rates as people write them, and the seeds of the runs at them. */
public final class RateFormat {
  private static final MathContext DIGITS = new MathContext(4);

  private RateFormat() {}

  /** The rate to four digits: what is tried is what is told. */
  public static double rounded(double perSecond) {
    return new BigDecimal(perSecond).round(DIGITS).doubleValue();
  }

  /** The rate in plain digits. */
  public static String text(double perSecond) {
    return new BigDecimal(perSecond).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /**
   * The rate an experiment may begin at.
   *
   * @throws IllegalArgumentException if the arrivals have none
   */
  public static Rate open(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open -> open.rate();
      case Arrival.Closed closed -> throw unclear(
          "a closed loop has users, and a search plays random arrivals in their place");
      case Arrival.Trace trace -> throw unclear("a trace has its own times");
    };
  }

  /**
   * The rate an experiment begins at, requests/s.
   *
   * @param most what no rate of it may reach, requests/s
   * @throws IllegalArgumentException if it cannot begin there
   */
  public static double first(double perSecond, double most) {
    if (!(perSecond > 0 && perSecond < most)) {
      throw new IllegalArgumentException(
          "the first rate must be > 0 and < " + text(most) + "/s, was " + perSecond);
    }
    return perSecond;
  }

  /** Where to begin cannot be read from the scenario. */
  public static IllegalArgumentException unclear(String why) {
    return new IllegalArgumentException(
        why + ": name the rate to begin with, for example --from 2");
  }

  /** The seed of an experiment's probe: another for each, the same when it is repeated. */
  public static long seed(long ofExperiment, int number) {
    SplittableRandom random = new SplittableRandom(ofExperiment);
    long seed = 0;
    for (int i = 0; i < number; i++) {
      seed = random.nextLong();
    }
    return seed >>> 1;
  }
}
