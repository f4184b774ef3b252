package tallystick.experiment.regress;

import java.util.List;

/**
 * In how many runs of each side requests pile up. It decides no verdict: it tells what a wait can
 * still say, because a queue grows with the run.
 *
 * @param base of the base's runs
 * @param candidate of the candidate's runs
 */
public record OverloadEvidence(int base, int candidate) {
  static OverloadEvidence of(List<ComparedRun> base, List<ComparedRun> candidate) {
    return new OverloadEvidence(count(base), count(candidate));
  }

  /** A burst of arrivals looks like overload in a single short run; in most runs it is none. */
  static boolean isOf(List<ComparedRun> runs) {
    return isMost(count(runs), runs.size());
  }

  boolean isOfCandidateAlone(int baseRuns, int candidateRuns) {
    return isMost(candidate, candidateRuns) && !isMost(base, baseRuns);
  }

  private static boolean isMost(int piled, int runs) {
    return runs > 0 && 2 * piled >= runs;
  }

  private static int count(List<ComparedRun> runs) {
    return (int) runs.stream().filter(ComparedRun::looksOverloaded).count();
  }
}
