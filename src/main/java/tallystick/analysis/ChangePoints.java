package tallystick.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.PhaseAnalysis.ChangePoint;
import tallystick.analysis.statistics.LevelChanges;

/**
 * Places inside a phase where a wait changed its level: E-divisive on interval means, kept if the
 * level changed by a quarter or more. Interval means of one load are alike over time, so small
 * p-values alone would name too many places.
 */
record ChangePoints(PhaseSamples samples, MeasuredWindow window) {
  private static final int MOST_INTERVALS = 48; // A change is told to 2 % of the run

  /** Fewer make a mean that one long request moves. */
  private static final int REQUESTS_PER_INTERVAL = 5;
  private static final int SHORTEST_SEGMENT = 6; // what lasts for less is a burst, no level
  private static final LevelChanges.Rule RULE =
      new LevelChanges.Rule(SHORTEST_SEGMENT, 199, 0.01, 1);

  /** Means of one load are alike over time: p-values alone name too many places. */
  private static final double SMALLEST_CHANGE = 1.25;

  /** Those of TTFT in order of time; empty where there are none or too few requests. */
  List<ChangePoint> find() {
    double[] series = series(samples::ttftMeans);
    return LevelChanges.in(series, RULE).stream()
        .map(split -> change(split, series))
        .filter(change -> isAsMuch(change, SMALLEST_CHANGE))
        .toList();
  }

  /**
   * Those of the gaps between chunks, where not even means that follow one another make as much by
   * chance, each with TTFT beside it.
   *
   * @param least the larger level over the smaller
   */
  List<Move> moves(double least) {
    double[] gaps = series(samples::gapMeans);
    double[] waits = series(samples::ttftMeans);
    if (gaps.length == 0 || waits.length == 0) {
      return List.of();
    }
    return LevelChanges.in(gaps, RULE).stream()
        .filter(split -> LevelChanges.ifCorrelated(gaps, split, RULE) <= RULE.pLimit())
        .map(split -> new Move(change(split, gaps), change(split, waits)))
        .filter(move -> isAsMuch(move.gaps(), least))
        .toList();
  }

  /** One place, and what was there of two waits. */
  record Move(ChangePoint gaps, ChangePoint ttft) {}

  private double[] series(IntFunction<double[]> meansOf) {
    int intervals = (int) Math.min(MOST_INTERVALS, samples.ttft().count() / REQUESTS_PER_INTERVAL);
    if (intervals < 2 * SHORTEST_SEGMENT) {
      return new double[0];
    }
    double[] means = meansOf.apply(intervals);
    // An interval without a request repeats its neighbour, which cannot make a change by itself.
    for (int i = 1; i < means.length; i++) {
      means[i] = Double.isNaN(means[i]) ? means[i - 1] : means[i];
    }
    return Double.isNaN(means[0]) ? new double[0] : means;
  }

  private ChangePoint change(LevelChanges.Split split, double[] series) {
    double before = Arrays.stream(series, split.from(), split.at()).average().orElseThrow();
    double after = Arrays.stream(series, split.at(), split.to()).average().orElseThrow();
    double length = samples.lengthSeconds() / series.length;
    double start = window.secondsAfterOrigin(samples.startNanos());
    return new ChangePoint(start + split.at() * length, before, after, split.pValue());
  }

  private static boolean isAsMuch(ChangePoint change, double least) {
    return Math.max(change.before(), change.after())
        >= least * Math.min(change.before(), change.after());
  }
}
