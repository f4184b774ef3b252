package tallystick.analysis.result;

import tallystick.scenario.Objective;

/**
 * One objective judged. A failed request is bad for every objective.
 *
 * @param good good things
 * @param judged all judged things
 * @param low lower end of the 90 % interval of the share; it never contradicts the verdict
 * @param high upper end of it
 * @param verdict whether it was kept
 * @param share good over judged
 * @param evidence the percentile that decides
 */
public record ObjectiveResult(
    Objective objective,
    long good,
    long judged,
    Figure low,
    Figure high,
    Verdict verdict,
    Figure share,
    ObjectiveEvidence evidence) {

  /** Whether an objective was kept. */
  public enum Verdict implements Choice {
    /** The percentile's interval lies within the limit. */
    MET,
    /** The percentile's interval lies beyond the limit. */
    VIOLATED,
    /** The limit lies inside the percentile's interval, or there is none. */
    NOT_PROVEN
  }
}
