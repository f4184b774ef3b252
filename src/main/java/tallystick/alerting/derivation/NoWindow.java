package tallystick.alerting.derivation;

import java.util.List;
import java.util.Optional;
import tallystick.plan.Phase;
import tallystick.promql.PromTime;
import tallystick.scenario.Counted;

/** Why runs have no window at all. */
final class NoWindow {
  private static final long SECOND = 1_000_000_000;

  private NoWindow() {}

  /**
   * The reason; empty where a step holds a window.
   *
   * @param skipMillis beginning of each step that is left out
   */
  static Optional<UnmetRequirement> of(
      List<DerivationRun> runs, long skipMillis, long windowMillis) {
    List<Phase> steps =
        runs.stream()
            .flatMap(run -> run.rows().settings().phases().stream())
            .filter(Phase::hasOneRate)
            .toList();
    long longest =
        steps.stream()
            .mapToLong(phase -> (phase.endNanos() - phase.startNanos()) / SECOND * 1000)
            .max()
            .orElse(0);
    long needed = skipMillis + windowMillis;
    return UnmetRequirement.below(
            Requirement.STEPS, steps.size(), 1,
            "0 steps in %s, need >= 1: a step is a phase of one rate",
            Counted.of(runs.size(), "run", "runs"))
        .or(
            () ->
                UnmetRequirement.below(
                    Requirement.LONG_STEPS,
                    longest / 1e3,
                    needed / 1e3,
                    "0 windows: the longest step lasts %s, need >= %s, %s left out at its"
                        + " beginning and a window of %s",
                    PromTime.text(longest),
                    PromTime.text(needed),
                    PromTime.text(skipMillis),
                    PromTime.text(windowMillis)));
  }
}
