package tallystick.analysis.result;

import java.util.List;
import tallystick.scenario.Objective;

/**
 * One objective judged. A failed request is bad for every objective.
 *
 * @param good good things
 * @param judged all judged things
 * @param low lower end of the 90 % interval of the share; it never contradicts a sure verdict
 * @param high upper end of it
 * @param verdict whether this run kept it: a count
 * @param strength how sure it is that the run would come out the same again, and longer
 * @param share good over judged
 * @param evidence the percentile that decides
 */
public record ObjectiveResult(
    Objective objective,
    long good,
    long judged,
    Figure low,
    Figure high,
    Judgement.Verdict verdict,
    Strength strength,
    Figure share,
    ObjectiveEvidence evidence) {

  /** The verdict with its strength. */
  public Judgement judgement() {
    return new Judgement(verdict, strength);
  }

  /** What objectives come to together. */
  public static Judgement together(List<ObjectiveResult> results) {
    return Judgement.of(results.stream().map(ObjectiveResult::judgement).toList());
  }

  /** The same with another verdict on the same counts. */
  public ObjectiveResult as(Judgement other, ObjectiveEvidence because) {
    return new ObjectiveResult(
        objective, good, judged, low, high, other.verdict(), other.strength(), share, because);
  }
}
