package tallystick.experiment.regress;

import java.util.List;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;

/**
 * What comes of comparing two sides.
 *
 * @param verdict overall
 * @param metrics each metric that is judged, with its own verdict
 * @param changes where the time went, TTFT before E2E; empty where the sides do not tell
 * @param differences settings, versions and engine figures that differ
 * @param unlike why the runs cannot be compared; empty where they can
 * @param design what was compared
 * @param pileUp in how many runs the load was too much; where it decides, nothing else is judged
 */
public record Regression(
    Verdict verdict,
    List<Judged> metrics,
    List<Change> changes,
    List<Difference> differences,
    List<Unlike> unlike,
    Design design,
    OverloadEvidence pileUp) {

  /** How a comparison ends. */
  public enum Verdict {
    PASSED,
    REGRESSED,
    NOT_PROVEN,
    /** The runs are no likes. */
    INVALID
  }

  /**
   * One metric.
   *
   * @param verdict its own
   * @param margin allowed worsening as a share
   * @param base mean of the base's runs (geometric)
   * @param candidate mean of the candidate's
   * @param effect worsening as a share, 0.05 for 5 % worse; with a 95 % interval; not a number
   *     where the candidate has none at all, which has no ratio
   * @param chance that a candidate no worse looks so much worse, raised for all metrics (Holm)
   * @param couldSee smallest worsening these repeats would have seen, as a share
   * @param needed repeats that would decide, in all; 0 where it is decided
   * @param noise standard deviation of this installation's pairs of equal runs; -1 if not known
   * @param gates whether it must pass for the whole to pass
   * @param remark why it is not judged; empty where it is
   */
  public record Judged(
      ComparedMetric metric,
      Verdict verdict,
      double margin,
      double base,
      double candidate,
      Effects effect,
      double chance,
      double couldSee,
      int needed,
      double noise,
      boolean gates,
      String remark) {
    static final String CARRIES_MORE = "the base failed requests that the candidate carried";

    /** Whether it is worse beside a base that failed requests, which may be why. */
    public boolean carriesMore() {
      return remark.equals(CARRIES_MORE);
    }

    /** Whether no run of the candidate has any of it. */
    public boolean isLost() {
      return verdict == Verdict.REGRESSED && candidate == 0;
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
  public record Unlike(String key, String text) {}

  /**
   * What was compared.
   *
   * @param base runs of the base that count
   * @param candidate runs of the candidate that count
   * @param paired whether schedules pair them
   * @param order what the second place in a pair adds to TPOT or, without it, to E2E, as a share;
   *     0 where the order is not known
   * @param drift by how much the base engine's last reference is slower than its first; 0 without
   * @param leftOut pairs that could not be used
   * @param candidateFirst of each pair, whether the candidate ran first; empty where nobody knows
   */
  public record Design(
      int base, int candidate, boolean paired, double order, double drift, int leftOut,
      List<Boolean> candidateFirst) {
    public Design {
      candidateFirst = List.copyOf(candidateFirst);
    }
  }

  public Regression {
    metrics = List.copyOf(metrics);
    changes = List.copyOf(changes);
    differences = List.copyOf(differences);
    unlike = List.copyOf(unlike);
  }

  /** The same, unless one of these faults forbids to compare. */
  Regression unless(List<Unlike> faults) {
    return faults.isEmpty()
        ? this
        : new Regression(
            Verdict.INVALID, List.of(), List.of(), differences,
            Stream.concat(unlike.stream(), faults.stream()).toList(), design, pileUp);
  }

  /** Whether there is no candidate: a baseline was measured. */
  public boolean isBaseAlone() {
    return design.candidate() == 0;
  }

  /** Whether the candidate regressed because it does not carry the load; nothing else is judged. */
  public boolean isDrowned() {
    return verdict == Verdict.REGRESSED && pileUp.decides();
  }
}
