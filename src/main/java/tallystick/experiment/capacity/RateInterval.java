package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.OptionalDouble;
import tallystick.experiment.RateFormat;

/**
 * Rates between which the largest one that holds lies.
 *
 * @param low 0 where nothing bounds it
 * @param high infinite where nothing bounds it
 */
record RateInterval(double low, double high) {
  /**
   * How far below the lower end fresh runs come, and below fresh ones that did not hold: 85 of 100
   * searches of half an hour end sure, at 93 % of the truth; half as far 79, at 94 %.
   */
  static final double A_LITTLE = 1.02;

  /** What half an hour is to reach; the rate confirmed below its lower end is then within 7 %. */
  static final double WIDEST = 1.06;

  /** Where nobody knows. */
  static final RateInterval UNBOUNDED = new RateInterval(0, Double.POSITIVE_INFINITY);

  /**
   * The same in {@code capacity.json}, which has no word for infinite.
   *
   * @param intervalProven whether all runs tell the interval; else single ones showed it
   * @param lowPerSecond least rate at which the capacity may lie; absent where nothing bounds it
   * @param highPerSecond largest such rate; absent where nothing bounds it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Figures(boolean intervalProven, Double lowPerSecond, Double highPerSecond) {}

  /** How many times its lower end the upper one is. */
  double ratio() {
    return low == 0 ? Double.POSITIVE_INFINITY : high / low;
  }

  private boolean hasLow() {
    return low > 0;
  }

  private boolean hasHigh() {
    return Double.isFinite(high);
  }

  /** The geometric mean of its ends; empty where it has an open one. */
  OptionalDouble middle() {
    return hasLow() && hasHigh()
        ? OptionalDouble.of(Math.sqrt(low * high))
        : OptionalDouble.empty();
  }

  /** For example {@code between 28 and 31 requests/s}. */
  String words(String unit) {
    String from = RateFormat.text(low);
    if (hasLow() && hasHigh()) {
      return "between " + from + " and " + RateFormat.text(high) + " " + unit;
    }
    return hasLow()
        ? "above " + from + " " + unit
        : hasHigh()
            ? "below " + RateFormat.text(high) + " " + unit
            : "where these runs cannot tell";
  }

  /** For example {@code 20.3 to 23.4}. */
  String likely() {
    String from = RateFormat.text(low);
    return hasHigh() ? from + " to " + RateFormat.text(high) : "above " + from;
  }

  Figures figures(boolean isProven) {
    return new Figures(isProven, hasLow() ? low : null, hasHigh() ? high : null);
  }
}
