package tallystick.experiment.regress;

import java.util.List;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Strength;

/**
 * What comes of comparing two sides.
 *
 * @param verdict overall
 * @param strength how sure the verdict is
 * @param metrics each metric that is judged, with its own verdict
 * @param changes where the time went, TTFT before E2E; empty where the sides do not tell
 * @param differences settings, versions and engine figures that differ
 * @param unlike why the runs cannot be compared; empty where they can
 * @param design what was compared
 * @param pileUp in how many runs the load was too much
 */
public record Regression(
    Verdict verdict,
    Strength strength,
    List<Judged> metrics,
    List<Change> changes,
    List<Difference> differences,
    List<Unlike> unlike,
    Design design,
    OverloadEvidence pileUp) {

  /** How a comparison ends. */
  public enum Verdict {
    /** Nothing is worse by more than is allowed. */
    PASSED,
    REGRESSED,
    TOO_CLOSE,
    /** The runs are no likes. */
    INVALID
  }

  /**
   * One metric.
   *
   * @param verdict its own
   * @param strength how sure that is
   * @param margin allowed worsening as a share; of a share of requests, as a difference
   * @param base mean of the base's runs (geometric; of a share of requests, the plain one)
   * @param candidate mean of the candidate's
   * @param effect worsening as a share, 0.05 for 5 % worse; of a share of requests, as a
   *     difference, 0.05 for five points; with a 95 % interval
   * @param chance that equal engines look so, over all metrics
   * @param pairs in which the candidate is worse; 0 where no schedule pairs the runs
   * @param couldSee smallest worsening these repeats would have seen, like the effect
   * @param needed repeats that would make it sure, in all; 0 where it is
   * @param noise standard deviation of this installation's pairs of equal runs; -1 if not known
   * @param gates whether it must pass for the whole to pass
   * @param remark why it is not judged; empty where it is
   */
  public record Judged(
      ComparedMetric metric,
      Verdict verdict,
      Strength strength,
      double margin,
      double base,
      double candidate,
      Effects effect,
      double chance,
      int pairs,
      double couldSee,
      int needed,
      double noise,
      boolean gates,
      String remark) {
    static final String CARRIES_MORE = "the base failed requests that the candidate completed";

    /** Of a time in overload: that it is worse can be told, by how much can not. */
    static final String GROWS =
        "how much slower is not told: the queue grows as long as a run lasts";

    /** Whether it is worse beside a base that failed requests, which may be why. */
    public boolean carriesMore() {
      return remark.equals(CARRIES_MORE);
    }

    /** Whether its size means nothing. */
    boolean isWithoutSize() {
      return remark.equals(GROWS);
    }

    /** Whether there is nothing to tell of it. */
    boolean isUnknown() {
      return base == 0;
    }

    boolean is(Verdict wanted, Strength sure) {
      return verdict == wanted && strength == sure;
    }
  }

  /** A worsening with its 95 % interval, as shares. */
  public record Effects(double value, double low, double high) {}

  /** What differs between the sides and may explain the change. */
  public record Difference(String name, String base, String candidate) {}

  /**
   * What forbids to compare.
   *
   * @param key for example {@code offered rate}
   * @param text both values, or the reason
   */
  public record Unlike(String key, String text) {
    /** The key as a reader knows it. */
    String words() {
      return key.equals(ComparedRun.SATURATED) ? "client late" : key;
    }
  }

  /**
   * What was compared.
   *
   * @param base runs of the base that count
   * @param candidate runs of the candidate that count
   * @param paired whether schedules pair them
   * @param order what the second place in a pair adds to TPOT or, without it, to E2E, as a share;
   *     0 where the order is not known. It is taken out where it is beyond doubt
   * @param drift by how much the base's last run is slower than its first
   * @param leftOut pairs that could not be used
   * @param candidateFirst of each pair, whether the candidate ran first; empty where nobody knows
   */
  public record Design(
      int base, int candidate, boolean paired, double order, double drift, int leftOut,
      List<Boolean> candidateFirst) {}

  /** The same, unless one of these faults forbids to compare. */
  Regression unless(List<Unlike> faults) {
    return faults.isEmpty()
        ? this
        : new Regression(
            Verdict.INVALID, Strength.TOO_CLOSE, List.of(), List.of(), differences,
            Stream.concat(unlike.stream(), faults.stream()).toList(), design, pileUp);
  }

  /** Whether there is no candidate: a baseline was measured. */
  public boolean isBaseAlone() {
    return design.candidate() == 0;
  }

  /** Whether it is decided as surely as it can be: further pairs would change nothing. */
  boolean isSettled() {
    return verdict == Verdict.INVALID || strength == Strength.SURE;
  }

  /** Whether the candidate alone does not carry the load. */
  public boolean isDrowned() {
    return pileUp.isOfCandidateAlone(design.base(), design.candidate());
  }
}
