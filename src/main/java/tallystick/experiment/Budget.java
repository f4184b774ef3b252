package tallystick.experiment;

import java.util.OptionalDouble;
import tallystick.scenario.Formatted;

/**
 * Time for all runs of an experiment.
 *
 * @param seconds empty where none is given
 */
public record Budget(OptionalDouble seconds) {

  /** The budget in seconds; infinite where none is given. */
  public double orInfinite() {
    return seconds.orElse(Double.POSITIVE_INFINITY);
  }

  /** How much was used, in words. */
  public String used(double elapsedSeconds) {
    String used = minutes(elapsedSeconds);
    if (seconds.isEmpty()) {
      return used + " min";
    }
    String budget = minutes(seconds.getAsDouble());
    return elapsedSeconds > seconds.getAsDouble() && !used.equals(budget)
        ? used + " min, more than its budget of " + budget
        : used + " of " + budget + " min budget";
  }

  /** How much is left, in words. */
  public String left(double elapsedSeconds) {
    return seconds.isEmpty()
        ? minutes(elapsedSeconds) + " min so far"
        : minutes(seconds.getAsDouble() - elapsedSeconds) + " of "
            + minutes(seconds.getAsDouble()) + " min left";
  }

  /** Whole minutes, at least 0. */
  public static String minutes(double seconds) {
    return Formatted.of("%.0f", Math.max(0, seconds) / 60);
  }
}
