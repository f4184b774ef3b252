package tallystick.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

/** Rates as people write them, and the seeds of the runs at them. */
public final class Rates {
  private static final MathContext DIGITS = new MathContext(4);

  private Rates() {}

  /** The rate to four digits: what is tried is what is told. */
  public static double rounded(double perSecond) {
    return new BigDecimal(perSecond).round(DIGITS).doubleValue();
  }

  /** The rate in plain digits. */
  public static String text(double perSecond) {
    return new BigDecimal(perSecond).round(DIGITS).stripTrailingZeros().toPlainString();
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
