package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.PhaseAnalysis.ChangePoint;
import tallystick.analysis.statistics.LevelChanges;

/**
 * Places inside a phase where TTFT changed its level: E-divisive on interval means, kept if the
 * level changed by a quarter or more. Interval means of one load are alike over time, so small
 * p-values alone would name too many places.
 */
final class ChangePoints {
  private static final int MOST_INTERVALS = 48;
  private static final int REQUESTS_PER_INTERVAL = 5;
  private static final int SHORTEST_SEGMENT = 6;
  private static final LevelChanges.Rule RULE =
      new LevelChanges.Rule(SHORTEST_SEGMENT, 199, 0.01, 1);
  private static final double SMALLEST_CHANGE = 1.25;

  private final PhaseSamples samples;
  private final MeasuredWindow window;
  private final double[] series;
  private final List<ChangePoint> found = new ArrayList<>();

  ChangePoints(PhaseSamples samples, MeasuredWindow window) {
    this.samples = samples;
    this.window = window;
    int intervals =
        (int) Math.min(MOST_INTERVALS, samples.ttft().count() / REQUESTS_PER_INTERVAL);
    this.series = intervals < 2 * SHORTEST_SEGMENT ? new double[0] : means(intervals);
  }

  /** The places in order of time; empty where there are none or too few requests. */
  List<ChangePoint> find() {
    LevelChanges.in(series, RULE).forEach(this::add);
    return found;
  }

  private double[] means(int intervals) {
    double[] means = samples.ttftMeans(intervals);
    // An interval without a request repeats its neighbour, which cannot make a change by itself.
    for (int i = 1; i < means.length; i++) {
      means[i] = Double.isNaN(means[i]) ? means[i - 1] : means[i];
    }
    return Double.isNaN(means[0]) ? new double[0] : means;
  }

  private void add(LevelChanges.Split split) {
    double before = Arrays.stream(series, split.from(), split.at()).average().orElseThrow();
    double after = Arrays.stream(series, split.at(), split.to()).average().orElseThrow();
    if (Math.max(before, after) >= SMALLEST_CHANGE * Math.min(before, after)) {
      double length = samples.lengthSeconds() / series.length;
      double start = window.secondsAfterOrigin(samples.startNanos());
      found.add(new ChangePoint(start + split.at() * length, before, after, split.pValue()));
    }
  }
}
