package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.PhaseAnalysis.ChangePoint;
import tallystick.analysis.statistics.BlockBootstrap;

/**
 * Places inside a phase where TTFT changed its level: E-divisive on interval means, that is the
 * split with the largest energy distance, kept if a permutation of the intervals seldom reaches it
 * and if the level changed by a quarter or more. Interval means of one load are alike over time, so
 * small p-values alone would name too many places.
 */
final class ChangePoints {
  private static final int MOST_INTERVALS = 48;
  private static final int REQUESTS_PER_INTERVAL = 5;
  private static final int SHORTEST_SEGMENT = 6;
  private static final int PERMUTATIONS = 199;
  private static final double P_LIMIT = 0.01;
  private static final double SMALLEST_CHANGE = 1.25;

  private final PhaseSamples samples;
  private final MeasuredWindow window;
  private final double[] series;
  private final BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
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
    search(0, series.length);
    found.sort(Comparator.comparingDouble(ChangePoint::atSeconds));
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

  private void search(int from, int to) {
    if (to - from < 2 * SHORTEST_SEGMENT) {
      return;
    }
    double[] segment = Arrays.copyOfRange(series, from, to);
    double[] best = bestSplit(segment);
    int reached = 0;
    for (int i = 0; i < PERMUTATIONS; i++) {
      reached += bestSplit(permuted(segment))[1] >= best[1] ? 1 : 0;
    }
    double pValue = (1.0 + reached) / (1 + PERMUTATIONS);
    if (pValue > P_LIMIT) {
      return;
    }
    int split = from + (int) best[0];
    add(from, split, to, pValue);
    search(from, split);
    search(split, to);
  }

  private void add(int from, int split, int to, double pValue) {
    double before = Arrays.stream(series, from, split).average().orElseThrow();
    double after = Arrays.stream(series, split, to).average().orElseThrow();
    if (Math.max(before, after) >= SMALLEST_CHANGE * Math.min(before, after)) {
      double length = samples.lengthSeconds() / series.length;
      double start = window.secondsAfterOrigin(samples.startNanos());
      found.add(new ChangePoint(start + split * length, before, after, pValue));
    }
  }

  /** Place and scaled energy distance of the best split. */
  private static double[] bestSplit(double[] segment) {
    int length = segment.length;
    double[] best = {SHORTEST_SEGMENT, Double.NEGATIVE_INFINITY};
    for (int split = SHORTEST_SEGMENT; split <= length - SHORTEST_SEGMENT; split++) {
      double distance = energyDistance(segment, split);
      if (distance > best[1]) {
        best = new double[] {split, distance};
      }
    }
    return best;
  }

  private static double energyDistance(double[] segment, int split) {
    int right = segment.length - split;
    double between = 0;
    double withinLeft = 0;
    double withinRight = 0;
    for (int i = 0; i < segment.length; i++) {
      for (int j = i + 1; j < segment.length; j++) {
        double distance = Math.abs(segment[i] - segment[j]);
        if (j < split) {
          withinLeft += distance;
        } else if (i >= split) {
          withinRight += distance;
        } else {
          between += distance;
        }
      }
    }
    double energy =
        2 * between / ((double) split * right)
            - 2 * withinLeft / ((double) split * (split - 1))
            - 2 * withinRight / ((double) right * (right - 1));
    return energy * split * right / segment.length;
  }

  private double[] permuted(double[] values) {
    double[] permuted = values.clone();
    for (int i = permuted.length - 1; i > 0; i--) {
      int other = random.index(i + 1);
      double kept = permuted[i];
      permuted[i] = permuted[other];
      permuted[other] = kept;
    }
    return permuted;
  }
}
