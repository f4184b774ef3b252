package tallystick.experiment.regress;

import java.util.List;
import org.apache.commons.math3.distribution.HypergeometricDistribution;

/**
 * In how many runs of each side requests pile up.
 *
 * @param base of the base's runs
 * @param candidate of the candidate's runs
 * @param chance that equal engines differ at least so much to the candidate's disadvantage
 * @param decides whether the candidate does not carry a load that the base carries
 */
public record OverloadEvidence(int base, int candidate, double chance, boolean decides) {
  /** Of a candidate's runs; fewer leave open whether it carries the load. */
  private static final double MOST = 0.75;

  static OverloadEvidence of(List<RunFigures> base, List<RunFigures> candidate) {
    int ofBase = count(base);
    int ofCandidate = count(candidate);
    double chance = chance(ofBase, base.size(), ofCandidate, candidate.size());
    return new OverloadEvidence(
        ofBase, ofCandidate, chance,
        decides(ofBase, base.size(), ofCandidate, candidate.size(), chance));
  }

  static boolean decides(
      int ofBase, int baseRuns, int ofCandidate, int candidateRuns, double chance) {
    return Math.min(baseRuns, candidateRuns) >= Effect.FEWEST_REPEATS
        && chance <= Effect.LEVEL
        && ofCandidate >= MOST * candidateRuns && !isOfSide(ofBase, baseRuns);
  }

  /** A burst of arrivals looks like overload in a single short run; in most runs it is none. */
  static boolean isOfSide(int piled, int runs) {
    return 2 * piled >= runs;
  }

  private static int count(List<RunFigures> runs) {
    return (int) runs.stream().filter(RunFigures::looksOverloaded).count();
  }

  /** Fisher's exact test of one side: how often chance deals the candidate as many of them. */
  static double chance(int ofBase, int baseRuns, int ofCandidate, int candidateRuns) {
    return new HypergeometricDistribution(
            null, baseRuns + candidateRuns, ofBase + ofCandidate, candidateRuns)
        .upperCumulativeProbability(ofCandidate);
  }

  /** Repeats that would decide if as large a part of each side's runs piled up; 0 if none do. */
  public int needed(int baseRuns, int candidateRuns) {
    for (int n = Effect.FEWEST_REPEATS; n < Effect.MOST_REPEATS; n++) {
      int ofBase = Math.round((float) base * n / baseRuns);
      int ofCandidate = Math.round((float) candidate * n / candidateRuns);
      if (decides(ofBase, n, ofCandidate, n, chance(ofBase, n, ofCandidate, n))) {
        return n;
      }
    }
    return 0;
  }
}
