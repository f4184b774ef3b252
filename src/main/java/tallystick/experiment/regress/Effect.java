package tallystick.experiment.regress;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How far the candidate lies from the base, with what repeats tell of its error. The unit is the
 * run. The sign is such that more is worse.
 *
 * @param mean the difference
 * @param error its standard error
 * @param freedom degrees of freedom that tell the error
 * @param repeats on the side that has fewer
 * @param worse pairs in which the candidate is worse; 0 without pairs
 * @param floor what the error is at least, known without repeats; 0 where nothing is known
 */
record Effect(
    double mean, double error, double freedom, int repeats, int worse, double floor) {
  private static final double CONFIDENCE = 0.95; // The level of the interval that the table names
  private static final double POWER = 0.8; // The usual power of a test (Cohen 1988)

  static final int MOST_REPEATS = 100; // More than anybody plays: the forecast ends here

  /** So seldom chance alone makes an order that is then taken out: the price is a degree. */
  private static final double ORDER_LEVEL = 0.001;

  /** Degrees of freedom; with fewer, runs of two speeds look like an order by chance. */
  private static final int FEWEST_TO_TELL_ORDER = 3;

  /**
   * Than the effect: where runs of two speeds look like an order, half of the difference is the
   * effect, and the two are equal.
   */
  private static final double LARGER = 1.2;

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** From differences of pairs, base and candidate under the same schedule. */
  static Effect paired(double[] differences) {
    int freedom = differences.length - 1;
    return new Effect(
        mean(differences), Math.sqrt(squares(differences) / freedom / differences.length), freedom,
        differences.length, (int) Arrays.stream(differences).filter(one -> one > 0).count(), 0);
  }

  /**
   * The same, where it is known which run came first. What the second place adds is left in the
   * scatter, unless it is beyond doubt: a cache that every first run fills would hide all else.
   *
   * @param candidateFirst of each pair; empty where nobody knows
   */
  static Effect paired(double[] differences, List<Boolean> candidateFirst) {
    double[] first = chosen(differences, candidateFirst, true);
    double[] second = chosen(differences, candidateFirst, false);
    int freedom = differences.length - 2;
    if (first.length == 0 || second.length == 0 || freedom < FEWEST_TO_TELL_ORDER) {
      return paired(differences);
    }
    // As a crossover trial is read: both orders count alike, and what they share is the effect.
    double scatter =
        Math.sqrt(
            (squares(first) + squares(second)) / freedom
                * (1.0 / first.length + 1.0 / second.length));
    double order = Math.abs(mean(second) - mean(first));
    double mean = (mean(first) + mean(second)) / 2;
    boolean isBeyondDoubt =
        order > 2 * LARGER * Math.abs(mean)
            && 2 * new TDistribution(null, freedom).cumulativeProbability(-order / scatter)
                <= ORDER_LEVEL;
    Effect plain = paired(differences);
    return isBeyondDoubt
        ? new Effect(mean, scatter / 2, freedom, plain.repeats, plain.worse, 0)
        : plain;
  }

  private static double[] chosen(double[] values, List<Boolean> marks, boolean wanted) {
    return IntStream.range(0, Math.min(values.length, marks.size()))
        .filter(i -> marks.get(i) == wanted)
        .mapToDouble(i -> values[i])
        .toArray();
  }

  /** From runs that no schedule pairs (Welch). */
  static Effect between(double[] base, double[] candidate) {
    double ofBase = squares(base) / (base.length - 1) / base.length;
    double ofCandidate = squares(candidate) / (candidate.length - 1) / candidate.length;
    double variance = ofBase + ofCandidate;
    double freedom =
        variance == 0
            ? base.length + candidate.length - 2
            : variance * variance
                / (ofBase * ofBase / (base.length - 1)
                    + ofCandidate * ofCandidate / (candidate.length - 1));
    return new Effect(
        mean(candidate) - mean(base), Math.sqrt(variance), freedom,
        Math.min(base.length, candidate.length), 0, 0);
  }

  /** The same, whose error is no smaller than this, however alike the repeats are. */
  Effect atLeast(double least) {
    return new Effect(mean, error, freedom, repeats, worse, least);
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double squares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
  }

  /** Whether it is worse in every one of so many pairs that chance hardly makes that. */
  boolean isWorseInAll(int fewest) {
    return repeats >= fewest && worse == repeats;
  }

  /** Chance of a candidate that looks so much worse although it is not. */
  double worseByChance() {
    return below(0);
  }

  /** How likely the true difference is below this, where nothing was known before. */
  double below(double limit) {
    double distance = limit - mean;
    double byRepeats =
        error == 0
            ? (distance > 0 || mean == 0 ? 1 : 0)
            : new TDistribution(null, freedom).cumulativeProbability(distance / error);
    if (floor == 0) {
      return byRepeats;
    }
    double known = NORMAL.cumulativeProbability(distance / floor);
    return distance < 0 ? Math.max(byRepeats, known) : Math.min(byRepeats, known);
  }

  /** Half the width of the 95 % interval. */
  double halfWidth() {
    double level = (1 + CONFIDENCE) / 2;
    return Math.max(
        student(level) * error, NORMAL.inverseCumulativeProbability(level) * floor);
  }

  /** The smallest difference that a look at repeats like these finds in four of five tries. */
  double couldSee() {
    return Math.max(
        (student(1 - Looks.level(repeats)) + student(POWER)) * error,
        (NORMAL.inverseCumulativeProbability(1 - Looks.level(repeats))
                + NORMAL.inverseCumulativeProbability(POWER))
            * floor);
  }

  /**
   * About how many repeats make it sure.
   *
   * @param margin what is allowed
   * @param passing how sure a pass must be
   */
  int needed(double margin, double passing) {
    boolean passes = mean < margin;
    double distance = passes ? margin - mean : mean;
    double spread = error * Math.sqrt(repeats);
    // Of a normal distribution fewer would do: Student's t need not be tried below.
    double normal =
        NORMAL.inverseCumulativeProbability(passes ? passing : 1 - Looks.level(repeats))
            + NORMAL.inverseCumulativeProbability(POWER);
    double first = Math.ceil(Math.pow(normal * spread / distance, 2));
    int from = (int) Math.max(repeats + 1, Math.min(first, MOST_REPEATS));
    for (int n = from; n < MOST_REPEATS; n++) {
      TDistribution student = new TDistribution(null, n - 1);
      double level = passes ? passing : 1 - Looks.level(n);
      double least =
          (student.inverseCumulativeProbability(level)
                  + student.inverseCumulativeProbability(POWER))
              * spread / Math.sqrt(n);
      if (least <= distance) {
        return n;
      }
    }
    return MOST_REPEATS;
  }

  private double student(double level) {
    return new TDistribution(null, freedom).inverseCumulativeProbability(level);
  }
}
