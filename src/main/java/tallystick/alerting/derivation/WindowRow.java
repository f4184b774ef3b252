package tallystick.alerting.derivation;

import java.util.Map;

/**
 * One window of one step of one run: what the client lived through and what the engine showed.
 *
 * @param place where it belongs
 * @param observed requests that the engine's histogram, or a failure, puts into the window
 * @param good how many of them kept the objective, as the client measured
 * @param waiting requests beside them whose wait passed the limit before the window's end
 * @param overloaded whether the queue grew all through its step
 * @param signals the engine's figures; NaN or missing where it showed none
 */
public record WindowRow(
    Place place,
    long observed,
    long good,
    long waiting,
    boolean overloaded,
    Map<Signal, Double> signals) {

  /**
   * Where a window belongs.
   *
   * @param run the run
   * @param mix the traffic mix of the run
   * @param step the step of the run, its phase
   * @param load offered requests per second of the step
   * @param endSeconds end of the window after the run's origin
   */
  public record Place(String run, String mix, String step, double load, double endSeconds) {
    /** The windows of one step of one run stand or fall together. */
    String cluster() {
      return run + "/" + step;
    }
  }

  public WindowRow {
    signals = Map.copyOf(signals);
    if (good < 0 || good > observed) {
      throw new IllegalArgumentException(good + " good of " + observed);
    }
  }

  /** A signal's value; NaN where the engine showed none. */
  public double signal(Signal signal) {
    return signals.getOrDefault(signal, Double.NaN);
  }
}
