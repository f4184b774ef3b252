package tallystick.experiment.regress;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How far the candidate lies from the base, with what repeats tell of its error. The unit is the
 * run. The sign is such that more is worse.
 *
 * @param mean the difference
 * @param error its standard error
 * @param freedom degrees of freedom that tell the error
 * @param order what being the second run of a pair adds; 0 where the order is not told apart
 * @param repeats on the side that has fewer
 */
record Effect(double mean, double error, double freedom, double order, int repeats) {
  static final double CONFIDENCE = 0.95;
  private static final double POWER = 0.8;

  /** So seldom may equal engines be told apart, over all metrics. */
  static final double LEVEL = 0.01;

  /** Fewer repeats let a verdict hang on one run. */
  static final int FEWEST_REPEATS = 3;

  static final int MOST_REPEATS = 100;

  /** Fewer pairs leave the order no degree of freedom to spare. */
  private static final int FEWEST_TO_TELL_ORDER = 5;

  /**
   * From differences of pairs, base and candidate under the same schedule.
   *
   * @param candidateFirst of each pair, whether the candidate ran first; empty where nobody knows
   */
  static Effect paired(double[] differences, boolean[] candidateFirst) {
    int first = 0;
    for (boolean isFirst : candidateFirst) {
      first += isFirst ? 1 : 0;
    }
    int second = candidateFirst.length - first;
    boolean tellsOrder =
        differences.length >= FEWEST_TO_TELL_ORDER
            && candidateFirst.length == differences.length && first > 0 && second > 0;
    if (!tellsOrder) {
      return new Effect(
          mean(differences), Math.sqrt(squares(differences) / freedom(differences, 1)
              / differences.length), freedom(differences, 1), 0, differences.length);
    }
    double[] whenFirst = chosen(differences, candidateFirst, true);
    double[] whenSecond = chosen(differences, candidateFirst, false);
    double freedom = freedom(differences, 2);
    double variance = (squares(whenFirst) + squares(whenSecond)) / freedom;
    // As a crossover trial is read: what the place in the pair adds falls out of the mean of both.
    return new Effect(
        (mean(whenFirst) + mean(whenSecond)) / 2,
        Math.sqrt(variance * (1.0 / first + 1.0 / second)) / 2,
        freedom, (mean(whenSecond) - mean(whenFirst)) / 2, differences.length);
  }

  /** From runs that no schedule pairs (Welch). */
  static Effect between(double[] base, double[] candidate) {
    double ofBase = squares(base) / freedom(base, 1) / base.length;
    double ofCandidate = squares(candidate) / freedom(candidate, 1) / candidate.length;
    double variance = ofBase + ofCandidate;
    double freedom =
        variance == 0
            ? base.length + candidate.length - 2
            : variance * variance
                / (ofBase * ofBase / freedom(base, 1)
                    + ofCandidate * ofCandidate / freedom(candidate, 1));
    return new Effect(
        mean(candidate) - mean(base), Math.sqrt(variance), freedom, 0,
        Math.min(base.length, candidate.length));
  }

  private static double freedom(double[] values, int spent) {
    return values.length - spent;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double squares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
  }

  private static double[] chosen(double[] values, boolean[] marks, boolean wanted) {
    double[] chosen = new double[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (marks[i] == wanted) {
        chosen[count++] = values[i];
      }
    }
    return Arrays.copyOf(chosen, count);
  }

  /** Chance of a candidate that looks so much worse although it is not. */
  double worseByChance() {
    if (error == 0) {
      return mean > 0 ? 0 : 1;
    }
    return new TDistribution(null, freedom).cumulativeProbability(-mean / error);
  }

  /** What the true difference is below, said with 95 % confidence. */
  double upperBound() {
    return mean + student(CONFIDENCE) * error;
  }

  /** Half the width of the 95 % interval. */
  double halfWidth() {
    return student((1 + CONFIDENCE) / 2) * error;
  }

  /** The smallest difference that repeats like these tell from none in four of five tries. */
  double couldSee() {
    return (student(1 - LEVEL) + student(POWER)) * error;
  }

  /**
   * About how many repeats decide.
   *
   * @param margin what is allowed
   */
  int needed(double margin, int metrics) {
    double spread = error * Math.sqrt(repeats);
    for (int n = 3; n < MOST_REPEATS; n++) {
      TDistribution student = new TDistribution(null, n - 1);
      double power = student.inverseCumulativeProbability(POWER);
      double level = mean < margin ? CONFIDENCE : 1 - LEVEL / metrics;
      double least = (student.inverseCumulativeProbability(level) + power) * spread / Math.sqrt(n);
      if (least <= (mean < margin ? margin - mean : mean)) {
        return n;
      }
    }
    return MOST_REPEATS;
  }

  private double student(double level) {
    return new TDistribution(null, freedom).inverseCumulativeProbability(level);
  }
}
