package tallystick.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Two rates between which the capacity lies as far as single probes tell, and the rate to try
 * next: up by half until one fails, down by half until one holds, then the middle of the ratio.
 *
 * @param low largest rate below {@code high} that held; 0 while none did
 * @param high smallest rate that failed; infinite while none did
 */
public record BracketingSearch(double low, double high) {
  private static final double STEP = 1.5;

  /**
   * What one rate showed.
   *
   * @param holds whether as many requests were good as asked for
   */
  public record Trial(double perSecond, boolean holds) {}

  /** The bracket that trials leave. */
  public static BracketingSearch of(List<Trial> trials) {
    double high =
        trials.stream()
            .filter(trial -> !trial.holds())
            .mapToDouble(Trial::perSecond)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    OptionalDouble low =
        trials.stream()
            .filter(trial -> trial.holds() && trial.perSecond() < high)
            .mapToDouble(Trial::perSecond)
            .max();
    return new BracketingSearch(low.orElse(0), high);
  }

  /** The same where no rate above that one holds. */
  public BracketingSearch below(double perSecond) {
    return new BracketingSearch(low, Math.min(high, perSecond));
  }

  /** Whether both ends are known and their ratio is at most {@code tolerance}. */
  public boolean isWithin(double tolerance) {
    return low > 0 && high / low <= tolerance;
  }

  /** The rate to try next; with nothing tried so far {@code first}. */
  public double next(double first) {
    if (low == 0 && Double.isInfinite(high)) {
      return first;
    }
    if (Double.isInfinite(high)) {
      return low * STEP;
    }
    return low == 0 ? high / STEP : Math.sqrt(low * high);
  }
}
