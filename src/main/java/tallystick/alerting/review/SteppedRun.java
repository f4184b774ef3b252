package tallystick.alerting.review;

import java.util.Optional;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Phase;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/** A run of several loads: what it alone allows to say about alerts is part of its report. */
public final class SteppedRun {
  /** At one load users are well or suffer, and nothing can be told apart. */
  private static final int LEAST_LOADS = 2;

  private SteppedRun() {}

  /** The review; empty for a run of one load, without a fitting objective or without scrapes. */
  public static Optional<AlertReview> review(RunRows rows, RunAnalysis analysis) {
    long loads =
        rows.settings().phases().stream()
            .filter(Phase::hasOneRate)
            .mapToDouble(Phase::requestsPerSecond)
            .distinct()
            .count();
    Optional<Objective> objective =
        rows.settings().objectives().stream()
            .filter(one -> one.metric() == Objective.Metric.TTFT)
            .findFirst();
    if (loads < LEAST_LOADS || objective.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          AlertReview.ofOne(
              DerivationRun.of(rows, analysis), AlertRequest.usual(objective.get())));
    } catch (IllegalArgumentException e) {
      // Nothing was scraped, or the engine has no such histogram: there is nothing to replay.
      return Optional.empty();
    }
  }
}
