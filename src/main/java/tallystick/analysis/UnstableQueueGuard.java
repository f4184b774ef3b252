package tallystick.analysis;

import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis.Overload;
import tallystick.analysis.statistics.GoodShare;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * Objectives on waiting where requests pile up. Each stretch of time is like the one before it
 * there, so no count of independent requests stands for the run, and the objective would stay open
 * however few requests keep it. But waiting only grows: a share that is missed so far is lost.
 */
final class UnstableQueueGuard {
  private static final String REASON = "requests pile up: at this load the share only falls";
  private static final double TAIL = 0.05;

  private final boolean pilesUp;

  UnstableQueueGuard(Overload overload) {
    this.pilesUp = overload.verdict() == Overload.Verdict.OVERLOADED;
  }

  /** The results; an open one that is clearly missed is violated. */
  List<ObjectiveResult> judge(List<ObjectiveResult> results) {
    return pilesUp ? results.stream().map(UnstableQueueGuard::judge).toList() : results;
  }

  private static ObjectiveResult judge(ObjectiveResult open) {
    Objective objective = open.objective();
    boolean isLost =
        open.verdict() == ObjectiveResult.Verdict.NOT_PROVEN
            && objective.requestClass().isEmpty()
            && objective.parts().stream().anyMatch(one -> isWaiting(one.metric()))
            && open.judged() > 0
            && new GoodShare(open.good(), open.judged(), open.judged())
                .misses(objective.share(), TAIL);
    if (!isLost) {
      return open;
    }
    ObjectiveEvidence of = open.evidence();
    Figure high =
        open.high() instanceof Figure.Known known
            ? Figure.of(Math.min(objective.share(), known.value()))
            : open.high();
    return new ObjectiveResult(
        objective, open.good(), open.judged(), open.low(), high,
        ObjectiveResult.Verdict.VIOLATED, open.share(),
        new ObjectiveEvidence(
            of.percentile(), of.low(), of.high(), of.independentCount(),
            Figure.missing("the verdict is proven"), REASON));
  }

  /** Others, such as the time of an output token, need not grow with a queue. */
  private static boolean isWaiting(Metric metric) {
    return metric == Metric.TTFT || metric == Metric.E2E;
  }
}
