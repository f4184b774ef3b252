package tallystick.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Cuts stretches out of a run that has been read. */
final class StretchReader {
  private final IntervalGrid grid;
  private final Window window;
  private final RunAnalysis.EngineAccount engine;

  StretchReader(IntervalGrid grid, Window window, RunAnalysis.EngineAccount engine) {
    this.grid = grid;
    this.window = window;
    this.engine = engine;
  }

  /** A part of a phase, from one of its units up to another. */
  Stretch of(String name, PhaseSamples phase, int fromUnit, int toUnit, boolean overloaded) {
    double start = window.secondsAfterOrigin(phase.startNanos());
    double unitSeconds = phase.lengthSeconds() / PhaseSamples.UNITS;
    int[] intervals =
        intervalsIn(start + fromUnit * unitSeconds, start + toUnit * unitSeconds);
    return new Stretch(
        name,
        phase.ttft().units().counts(fromUnit, toUnit),
        phase.chunkGaps().units().counts(fromUnit, toUnit),
        buckets("ttft", intervals),
        buckets("itl", intervals),
        buckets("queue", intervals),
        figures(intervals, phase.meanPromptTokens(fromUnit, toUnit), overloaded));
  }

  private int[] intervalsIn(double from, double to) {
    return IntStream.range(0, grid.size())
        .filter(i -> grid.startSeconds(i) >= from - 1e-9 && grid.endSeconds(i) <= to + 1e-9)
        .toArray();
  }

  private Stretch.Counts buckets(String name, int[] intervals) {
    EngineDistribution distribution = engine.distributions().get(name);
    if (distribution == null || intervals.length == 0) {
      return Stretch.Counts.NONE;
    }
    List<Double> edges =
        distribution.buckets().stream().map(EngineDistribution.Bucket::edge).toList();
    double[][] perUnit = new double[intervals.length][edges.size()];
    double[] before = new double[grid.size()];
    for (int cell = 0; cell < edges.size(); cell++) {
      double[] cumulative =
          Double.isInfinite(edges.get(cell))
              ? grid.growth(EngineColumns.countOf(name))
              : grid.growth(EngineColumns.bucketOf(name, edges.get(cell)));
      for (int i = 0; i < intervals.length; i++) {
        int interval = intervals[i];
        perUnit[i][cell] = Math.max(0, cumulative[interval] - before[interval]);
      }
      before = cumulative;
    }
    double[] sums = grid.growth(EngineColumns.sumOf(name));
    return new Stretch.Counts(
        edges.stream().mapToDouble(Double::doubleValue).toArray(),
        perUnit,
        Arrays.stream(intervals).mapToDouble(i -> sums[i]).toArray());
  }

  private Stretch.Figures figures(int[] intervals, double promptTokens, boolean overloaded) {
    double seconds =
        Arrays.stream(intervals)
            .mapToDouble(i -> grid.endSeconds(i) - grid.startSeconds(i))
            .sum();
    double prefill = mean("prefill", intervals);
    double rest = mean("ttft", intervals) - mean("queue", intervals) - prefill;
    double finished = growth(EngineColumns.FINISHED, intervals);
    return new Stretch.Figures(
        promptTokens,
        prefill,
        rest,
        ratio(
            growth(EngineColumns.PREFIX_HITS, intervals),
            growth(EngineColumns.PREFIX_QUERIES, intervals)),
        average(EngineColumns.RUNNING, intervals),
        average(EngineColumns.WAITING, intervals),
        largest(EngineColumns.KV_USAGE, intervals),
        ratio(growth(EngineColumns.PREEMPTIONS, intervals), finished),
        ratio(growth(EngineColumns.GENERATION_TOKENS, intervals), seconds),
        ratio(finished, seconds),
        overloaded);
  }

  private double mean(String name, int[] intervals) {
    return ratio(
        growth(EngineColumns.sumOf(name), intervals),
        growth(EngineColumns.countOf(name), intervals));
  }

  private double growth(String column, int[] intervals) {
    double[] values = grid.growth(column);
    return Arrays.stream(intervals).mapToDouble(i -> values[i]).sum();
  }

  private double largest(String column, int[] intervals) {
    if (grid.engines() != 1) {
      // A ratio of several engines has no sum.
      return Double.NaN;
    }
    double[] values = grid.gauge(column);
    return Arrays.stream(intervals).mapToDouble(i -> values[i]).max().orElse(Double.NaN);
  }

  private double average(String column, int[] intervals) {
    double[] values = grid.gauge(column);
    return Arrays.stream(intervals).mapToDouble(i -> values[i]).average().orElse(Double.NaN);
  }

  private static double ratio(double above, double below) {
    return below > 0 ? above / below : Double.NaN;
  }
}
