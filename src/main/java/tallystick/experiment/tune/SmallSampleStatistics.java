package tallystick.experiment.tune;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/** What a few repeats tell of a mean. */
final class SmallSampleStatistics {
  /** Quantile of the normal distribution at {@link #LEVEL}. */
  private static final double NORMAL = 1.959964;

  /** Of each side of an interval of 95 %. */
  private static final double LEVEL = 0.975;

  private SmallSampleStatistics() {}

  /**
   * How much farther than its resamples a mean may lie: so few values know their spread badly, and
   * resamples of them are too narrow.
   *
   * @param freedom how many values the spread is known from
   */
  static double widening(int repeats, int freedom) {
    double student = new TDistribution(null, freedom).inverseCumulativeProbability(LEVEL);
    return student / NORMAL * Math.sqrt(repeats / (repeats - 1.0));
  }

  /** The mean, moved by as much as a resample differs, times the widening. */
  static double redrawn(double[] values, int[] drawn, double widened) {
    double mean = mean(values);
    double resampled = Arrays.stream(drawn).mapToDouble(i -> values[i]).average().orElseThrow();
    return mean + widened * (resampled - mean);
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /** Half the width of the interval at a level of one side; not a number for a single value. */
  static double reach(double[] values, double level) {
    if (values.length < 2) {
      return Double.NaN;
    }
    return new TDistribution(null, values.length - 1).inverseCumulativeProbability(level)
        * error(values);
  }

  /** The standard error of the mean of at least two values. */
  static double error(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(one -> (one - mean) * (one - mean)).sum();
    return Math.sqrt(squares / (values.length - 1) / values.length);
  }

  /**
   * How probably a mean lies above a bound, by its distance to it; not a number for a single value.
   *
   * @param error standard error of the mean of so many values
   */
  static double chance(double distance, double error, int values) {
    if (values < 2 || Double.isNaN(distance)) {
      return Double.NaN;
    }
    return error == 0
        ? distance < 0 ? 0 : 1
        : new TDistribution(null, values - 1).cumulativeProbability(distance / error);
  }

  /** How probably the mean of values lies above a bound. */
  static double chanceAbove(double[] values, double bound) {
    return values.length < 2
        ? Double.NaN
        : chance(mean(values) - bound, error(values), values.length);
  }

  /** The interval of 95 %. */
  static Gain interval(double[] values) {
    return interval(values, LEVEL);
  }

  /** The interval that leaves out as much on each side as the level lacks of 1. */
  static Gain interval(double[] values, double level) {
    double half = reach(values, level);
    return new Gain(mean(values), mean(values) - half, mean(values) + half);
  }

  /** A mean with its ends; ends that are not numbers are not known. */
  record Gain(double value, double low, double high) {
    /** From logarithms to shares: 0.05 for 5 % more. */
    Gain shares() {
      return new Gain(Math.expm1(value), Math.expm1(low), Math.expm1(high));
    }

    double half() {
      return (high - low) / 2;
    }

    boolean hasEnds() {
      return Double.isFinite(low) && Double.isFinite(high);
    }
  }
}
