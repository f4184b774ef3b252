package tallystick.analysis;

import java.util.Arrays;
import java.util.Optional;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.EngineTotals.HistogramGrowth;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;

/**
 * Whether the gauge of running requests fits the time that requests ran, by Little's law: as many
 * run on average as the sum of their times over the time. A preempted request does not run all the
 * time between its first step and its last.
 */
record RunningCheck(RunReading run) {
  /** Fewer scrapes are a chance choice of moments. */
  private static final int FEWEST_SCRAPES = 30;

  /** Moments may be so far from the mean, and by so many of their standard errors. */
  private static final double APART = 0.2;

  /** Standard errors; scrapes are correlated, so three would be too few. */
  private static final double ERRORS = 5;

  /** A line where it does not fit; empty where it does or cannot be told. */
  Optional<String> fault() {
    IntervalGrid grid = new IntervalGrid(run.reading());
    Optional<HistogramGrowth> ran = run.totals().histogram(MetricConcept.INFERENCE_TIME);
    if (!grid.knows(EngineColumns.RUNNING) || ran.isEmpty() || !isClosed(ran.get())
        || grid.size() < FEWEST_SCRAPES) {
      return Optional.empty();
    }
    double[] running = grid.gauge(EngineColumns.RUNNING);
    double seconds = grid.endSeconds(grid.size() - 1) - grid.startSeconds(0);
    double expected = ran.get().sum() / seconds;
    double mean = Arrays.stream(running).average().orElse(Double.NaN);
    double squares = Arrays.stream(running).map(one -> (one - mean) * (one - mean)).sum();
    double error = Math.sqrt(squares) / running.length;
    double apart = Math.abs(mean - expected);
    // Scrapes in step with a constant rate always see the same moment: less than one request amiss.
    boolean isTold = error > 0 || apart >= 1;
    return isTold && apart > APART * Math.max(mean, expected) && apart > ERRORS * error
        ? Optional.of(Formatted.of(
            "%.1f requests running on average of %d scrapes, but %s makes up %.1f of them",
            mean, running.length, ran.get().family(), expected))
        : Optional.empty();
  }

  /** Whether all that ran has ended, and ran without a break. */
  private boolean isClosed(HistogramGrowth ran) {
    return run.client().tally().open() == 0
        && ran.count() == run.client().tally().completed()
        && run.window().quietBefore().isPresent()
        && run.window().quietAfter().isPresent()
        && run.totals().counter(MetricConcept.PREEMPTIONS).orElse(1) == 0;
  }
}
