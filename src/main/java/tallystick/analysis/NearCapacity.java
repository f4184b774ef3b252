package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.scenario.Formatted;

/**
 * Short stretches close to capacity. There a few long waits decide a percentile, and they come in
 * clusters that last for a minute: no interval from within one such stretch knows how the next one
 * ends. On 60 s just below the knee one verdict in five was wrong; see docs/metrics.md.
 */
record NearCapacity(IntervalGrid grid, MeasuredWindow window) {
  /** With so much time the printed intervals hold what they promise. */
  private static final double ENOUGH_SECONDS = 170;

  /** At 65 % load 1 to 2 % of the scrapes see a request wait, at 90 % 39 to 59 %. */
  private static final double OFTEN_WAITING = 0.25;

  /** Ten scrapes tell a quarter to 14 points, one standard error. */
  private static final int FEWEST_SCRAPES = 10;

  /** One finding that names the phases; none where no verdict rests on one. */
  List<Finding> findings(List<PhaseSamples> samples, List<PhaseAnalysis> phases) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      PhaseAnalysis phase = phases.get(i);
      double waiting = waitingShare(samples.get(i));
      if (isJudged(phase) && isNear(samples.get(i))) {
        lines.add(Formatted.of(
            "%s: %.0f s; requests waited in %.0f %% of its scrapes",
            phase.phase(), phase.endSeconds() - phase.startSeconds(), 100 * waiting));
      }
    }
    return lines.isEmpty()
        ? List.of()
        : List.of(new Finding(Code.SHORT_NEAR_CAPACITY,
            "The load is close to what the engine carries, for less than three minutes. A"
                + " verdict near its limit may change in the next run.",
            lines, "Run each such step for 3 minutes or more, or repeat it with other seeds."));
  }

  /** Whether requests often waited in a phase that was too short for that. */
  boolean isNear(PhaseSamples phase) {
    return phase.lengthSeconds() < ENOUGH_SECONDS && waitingShare(phase) >= OFTEN_WAITING;
  }

  private static boolean isJudged(PhaseAnalysis phase) {
    return phase.overload().verdict() == PhaseAnalysis.Overload.Verdict.NO_GROWTH_SEEN
        && phase.objectives().stream().anyMatch(result -> !result.judgement().isTooClose());
  }

  /** Share of the phase's scrapes that saw a request wait; 0 where too few were made. */
  private double waitingShare(PhaseSamples phase) {
    double from = window.secondsAfterOrigin(phase.startNanos());
    double to = window.secondsAfterOrigin(phase.endNanos());
    double[] waiting = grid.gauge(EngineColumns.WAITING);
    double[] inside = new double[waiting.length];
    int count = 0;
    for (int i = 0; i < waiting.length; i++) {
      if (grid.endSeconds(i) > from && grid.endSeconds(i) <= to) {
        inside[count++] = waiting[i];
      }
    }
    return count < FEWEST_SCRAPES
        ? 0
        : (double) Arrays.stream(inside, 0, count).filter(n -> n > 0).count() / count;
  }
}
