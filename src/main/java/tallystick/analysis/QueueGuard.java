package tallystick.analysis;

import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis.Overload;
import tallystick.analysis.result.Strength;
import tallystick.scenario.Objective.Metric;

/**
 * What a queue says of objectives on waiting beyond their samples. Where requests pile up waiting
 * only grows: what is missed so far is lost for sure. Where a short run stood close to capacity
 * the next one may meet a longer queue, of which no sample of this one knows, and a rate that
 * passes by leaves no queue time to grow: what is kept is likely at most.
 *
 * @param overload whether requests piled up
 * @param isNear whether it was short and close to capacity, see {@link NearCapacity}
 * @param isRamp whether its rate went on changing
 */
record QueueGuard(Overload overload, boolean isNear, boolean isRamp) {
  private static final String LONGER = "three minutes or more would tell";

  /** The results with what the queue makes of them. */
  List<ObjectiveResult> judge(List<ObjectiveResult> results) {
    return results.stream().map(this::judge).toList();
  }

  private ObjectiveResult judge(ObjectiveResult result) {
    boolean isOfWaiting =
        result.objective().parts().stream()
            .anyMatch(one -> one.metric().isFromStart());
    if (!isOfWaiting) {
      return result;
    }
    boolean isLost =
        overload.verdict() == Overload.Verdict.OVERLOADED
            && result.judgement().isMissed()
            && result.objective().requestClass().isEmpty();
    if (isLost) {
      return as(result, Strength.SURE, "", "it is sure");
    }
    if (result.verdict() != Verdict.MET || result.strength() != Strength.SURE) {
      return result;
    }
    if (isRamp) {
      return as(
          result, Strength.LIKELY, "the rate only passed by: a queue may grow where it stays",
          "a step of " + LONGER);
    }
    return isNear && overload.verdict() == Overload.Verdict.NO_GROWTH_SEEN
        ? as(
            result, Strength.LIKELY,
            "close to what the engine carries: the next run may meet a longer queue", LONGER)
        : result;
  }

  private static ObjectiveResult as(
      ObjectiveResult result, Strength strength, String reason, String needed) {
    ObjectiveEvidence of = result.evidence();
    ObjectiveEvidence because =
        new ObjectiveEvidence(
            of.percentile(), of.low(), of.high(), of.independentCount(), Figure.missing(needed),
            reason);
    return result.as(
        new Judgement(result.verdict(), strength),
        strength == Strength.SURE
            ? because.sure(result.verdict(), result.objective().thresholdSeconds())
            : because);
  }
}
