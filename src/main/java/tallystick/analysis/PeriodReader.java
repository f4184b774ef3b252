package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tallystick.analysis.change.Period;
import tallystick.analysis.change.PeriodSums;
import tallystick.analysis.client.ClientIntervals.Column;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.BinnedCounts;
import tallystick.plan.LoopShape;
import tallystick.plan.Settings;

/** Cuts periods out of a run that has been read. */
final class PeriodReader {
  /** Arrivals are counted in pieces a little shorter than a second, whatever the scrapes. */
  private static final double PIECE_SECONDS = 0.99;

  /** A variance of so many is known to a quarter, one standard error. */
  private static final int FEWEST_PIECES = 30;

  private static final double LONG_GAP = 0.95; // The objectives' usual percentile

  private final IntervalGrid grid;
  private final MeasuredWindow window;
  private final RunAnalysis.EngineAccount engine;
  private final ClientSide client;
  private final HarnessAccount harness;
  private final List<EngineStalls.Standstill> standstills;
  private final int users;

  PeriodReader(
      RunReading run, RunAnalysis.EngineAccount engine,
      List<EngineStalls.Standstill> standstills) {
    this.grid = new IntervalGrid(run.reading());
    this.window = run.window();
    this.engine = engine;
    this.client = run.client();
    this.harness = run.harness();
    this.standstills = standstills;
    Settings settings = run.settings();
    this.users = settings.loop() == LoopShape.CLOSED ? settings.concurrency() : 0;
  }

  /** A part of a phase, from one of its units up to another. */
  Period of(String name, PhaseSamples phase, int fromUnit, int toUnit, boolean overloaded) {
    double start = window.secondsAfterOrigin(phase.startNanos());
    double unitSeconds = phase.lengthSeconds() / PhaseSamples.UNITS;
    double from = start + fromUnit * unitSeconds;
    boolean toTheEnd = toUnit == PhaseSamples.UNITS && isLast(phase);
    // What the last phase began ends in the drain, and both sides see it end there.
    double to = toTheEnd ? Double.POSITIVE_INFINITY : start + toUnit * unitSeconds;
    int[] intervals = intervalsIn(from, to);
    BinnedCounts gaps = phase.chunkGaps().units().counts(fromUnit, toUnit);
    return new Period(
        name,
        phase.ttft().units().counts(fromUnit, toUnit),
        gaps,
        buckets(Latency.TTFT, intervals),
        buckets(Latency.ITL, intervals),
        buckets(Latency.QUEUE, intervals),
        sums(intervals, overloaded, gaps.interpolated(gaps.total(), LONG_GAP)));
  }

  private boolean isLast(PhaseSamples phase) {
    return client.phases().stream().allMatch(other -> other.endNanos() <= phase.endNanos());
  }

  private int[] intervalsIn(double from, double to) {
    return IntStream.range(0, grid.size())
        .filter(i -> grid.startSeconds(i) >= from - 1e-9 && grid.endSeconds(i) <= to + 1e-9)
        .toArray();
  }

  private BinnedCounts buckets(Latency name, int[] intervals) {
    EngineDistribution distribution = engine.distributions().get(name);
    if (distribution == null || intervals.length == 0) {
      return BinnedCounts.NONE;
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
    return new BinnedCounts(
        edges.stream().mapToDouble(Double::doubleValue).toArray(),
        perUnit,
        Arrays.stream(intervals).mapToDouble(i -> sums[i]).toArray());
  }

  private PeriodSums sums(int[] intervals, boolean overloaded, double longGapSeconds) {
    Map<Column, double[]> columns = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      columns.put(column, client.intervals().values(column, intervals));
    }
    double[] lengths =
        Arrays.stream(intervals)
            .mapToDouble(i -> grid.endSeconds(i) - grid.startSeconds(i))
            .toArray();
    return new PeriodSums(
        lengths,
        columns,
        PeriodSums.cut(grid, intervals),
        grid.engines(),
        new PeriodSums.Conditions(
            overloaded,
            client.tally().stops() > 0,
            stillSeconds(intervals),
            engineStillSeconds(intervals),
            users,
            burstiness(columns.get(Column.ARRIVALS), lengths),
            longGapSeconds));
  }

  private double stillSeconds(int[] intervals) {
    if (intervals.length == 0) {
      return 0;
    }
    double from = grid.startSeconds(intervals[0]);
    double to = grid.endSeconds(intervals[intervals.length - 1]);
    long origin = window.originNanos();
    long fromNanos = origin + Math.round(from * 1e9);
    long toNanos = origin + Math.round(to * 1e9);
    return harness.still().nanosWithin(fromNanos, toNanos) / 1e9;
  }

  private double engineStillSeconds(int[] intervals) {
    if (intervals.length == 0) {
      return 0;
    }
    double from = grid.startSeconds(intervals[0]);
    double to = grid.endSeconds(intervals[intervals.length - 1]);
    return standstills.stream().mapToDouble(one -> one.within(from, to)).sum();
  }

  /** Variance over mean of the arrivals in pieces of about a second; NaN of too few pieces. */
  private static double burstiness(double[] arrivals, double[] lengths) {
    int last = arrivals.length;
    while (last > 0 && arrivals[last - 1] == 0) {
      last--;
    }
    List<Double> pieces = new ArrayList<>();
    double seconds = 0;
    double count = 0;
    for (int i = 0; i < last; i++) {
      seconds += lengths[i];
      count += arrivals[i];
      if (seconds >= PIECE_SECONDS) {
        pieces.add(count / seconds);
        seconds = 0;
        count = 0;
      }
    }
    if (pieces.size() < FEWEST_PIECES) {
      return Double.NaN;
    }
    double mean = pieces.stream().mapToDouble(rate -> rate).average().orElse(Double.NaN);
    double squares = pieces.stream().mapToDouble(r -> (r - mean) * (r - mean)).sum();
    return squares / (pieces.size() - 1) / mean;
  }
}
