package tallystick.promql;

import java.util.OptionalDouble;

/**
 * {@code rate}, {@code increase} and {@code delta} to the last bit: what the samples of a range
 * show, extrapolated to the range's ends as each version of Prometheus does it.
 */
public final class RateExtrapolation {
  private static final double MILLIS = 1000;
  /** A gap to the range's end below this many average gaps is taken for chance. */
  private static final double NEAR_END = 1.1;

  private RateExtrapolation() {}

  /** The three functions. */
  public enum Function {
    RATE(true, true),
    INCREASE(true, false),
    DELTA(false, false);

    private final boolean counter;
    private final boolean perSecond;

    Function(boolean counter, boolean perSecond) {
      this.counter = counter;
      this.perSecond = perSecond;
    }
  }

  /**
   * The function's value at the end of a range; empty with fewer than two samples in it.
   *
   * @param window the samples of the range, without staleness markers
   * @param endMillis the range's end
   * @param rangeMillis its length
   */
  public static OptionalDouble of(
      Function function,
      PrometheusVersion version,
      Window window,
      long endMillis,
      long rangeMillis) {
    int last = window.size() - 1;
    if (last < 1) {
      return OptionalDouble.empty();
    }
    double change = change(window, function.counter);
    double sampled = (window.millis(last) - window.millis(0)) / MILLIS;
    double toStart = (window.millis(0) - (endMillis - rangeMillis)) / MILLIS;
    double toEnd = (endMillis - window.millis(last)) / MILLIS;
    double average = sampled / last;
    double toZero =
        function.counter && change > 0 && window.value(0) >= 0
            ? sampled * (window.value(0) / change)
            : Double.POSITIVE_INFINITY;
    double extended = sampled;
    if (version == PrometheusVersion.V3) {
      extended += Math.min(nearOrHalf(toStart, average), toZero);
    } else {
      extended += nearOrHalf(Math.min(toStart, toZero), average);
    }
    extended += nearOrHalf(toEnd, average);
    double factor = extended / sampled;
    if (function.perSecond) {
      factor /= rangeMillis / MILLIS;
    }
    return OptionalDouble.of(change * factor);
  }

  /** Last minus first; a counter that fell began again from zero. */
  private static double change(Window window, boolean counter) {
    double change = window.value(window.size() - 1) - window.value(0);
    if (counter) {
      double previous = window.value(0);
      for (int i = 1; i < window.size(); i++) {
        if (window.value(i) < previous) {
          change += previous;
        }
        previous = window.value(i);
      }
    }
    return change;
  }

  private static double nearOrHalf(double gap, double average) {
    return gap < average * NEAR_END ? gap : average / 2;
  }
}
