package tallystick.experiment.regress;

import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How much pairs of equal runs differ on one installation, measured A against A.
 *
 * @param formatVersion of the file
 * @param measuredUtc when
 * @param scenario which load
 * @param likeness what it holds for: the machine and what was asked
 * @param pairs how many were measured
 * @param spread standard deviation of the logarithm of candidate over base
 */
public record BaselineVariance(
    int formatVersion,
    String measuredUtc,
    String scenario,
    Map<String, String> likeness,
    int pairs,
    Map<ComparedMetric, Double> spread) {
  static final int FORMAT = 1;

  /** The usual power of a test (Cohen 1988): of 10 regressions of that size 8 are found. */
  private static final double POWER = 0.8;
  private static final double LEVEL = 0.05; // One-sided, as the judge's likely verdict is

  /** The standard deviation; -1 where it was not measured. */
  double of(ComparedMetric metric) {
    return spread.getOrDefault(metric, -1.0);
  }

  /** The smallest effect that so many pairs with this spread see in four of five tries. */
  static double couldSee(double spread, int pairs) {
    TDistribution student = new TDistribution(null, Math.max(1, pairs - 1));
    return (student.inverseCumulativeProbability(1 - LEVEL)
            + student.inverseCumulativeProbability(POWER))
        * spread / Math.sqrt(pairs);
  }
}
