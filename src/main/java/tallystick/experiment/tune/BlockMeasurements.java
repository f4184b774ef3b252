package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.experiment.regress.ComparedRun;

/** The runs that count, by block and cell. */
final class BlockMeasurements {
  private final Map<Integer, Map<Integer, List<ComparedRun>>> runs = new TreeMap<>();
  private final int current;

  /**
   * Of the runs of those blocks.
   *
   * @param current the cell that every block has
   */
  BlockMeasurements(List<TunedRun> done, Collection<Integer> blocks, int current) {
    this.current = current;
    for (TunedRun run : done) {
      if (run.counts() && blocks.contains(run.step().block())) {
        runs.computeIfAbsent(run.step().block(), none -> new TreeMap<>())
            .computeIfAbsent(run.step().cell(), none -> new ArrayList<>())
            .add(run.figures().getFirst());
      }
    }
  }

  /** A cell's runs in all blocks. */
  List<ComparedRun> of(int cell) {
    return runs.values().stream()
        .flatMap(block -> block.getOrDefault(cell, List.of()).stream())
        .toList();
  }

  /** In how many blocks a cell was measured. */
  int blocks(int cell) {
    return (int) runs.values().stream().filter(block -> block.containsKey(cell)).count();
  }

  /** The blocks in which all these cells can be compared. */
  List<Integer> together(Collection<Integer> cells) {
    return runs.keySet().stream()
        .filter(
            block ->
                cells.stream()
                    .allMatch(cell -> Double.isFinite(cost(block, cell, TunedMetric.GOODPUT))))
        .toList();
  }

  /** What all these cells tell in all these blocks. */
  List<TunedMetric> told(Collection<Integer> cells, Collection<Integer> blocks) {
    return List.of(TunedMetric.values()).stream()
        .filter(
            response ->
                blocks.stream()
                    .allMatch(
                        block ->
                            cells.stream()
                                .allMatch(cell -> Double.isFinite(cost(block, cell, response)))))
        .toList();
  }

  double cost(int block, int cell, TunedMetric response) {
    return mean(block, cell, response::cost);
  }

  double goodShare(int block, int cell) {
    return mean(block, cell, TunedMetric::goodShare);
  }

  /** A cell's mean share of good requests over all its runs; NaN without any. */
  double goodShare(int cell) {
    return TunedMetric.goodShare(of(cell));
  }

  private double mean(
      int block, int cell, java.util.function.ToDoubleFunction<ComparedRun> of) {
    return runs.get(block).getOrDefault(cell, List.of()).stream()
        .mapToDouble(of)
        .average()
        .orElse(Double.NaN);
  }

  /**
   * A cell's mean cost with its interval, over the blocks that tell it. One that is missing in some
   * blocks is set to all of them by what the current cell did in them.
   */
  SmallSampleStatistics.Gain mean(int cell, TunedMetric response) {
    List<Integer> own = finite(cell, response);
    double all = SmallSampleStatistics.mean(costs(finite(current, response), current, response));
    double there =
        SmallSampleStatistics.mean(
            costs(
                own.stream().filter(finite(current, response)::contains).toList(), current,
                response));
    double shift = Double.isFinite(all - there) ? all - there : 0;
    return SmallSampleStatistics.interval(
        Arrays.stream(costs(own, cell, response)).map(cost -> cost + shift).toArray());
  }

  /**
   * The same as a figure in its unit, the lower end first. Percentiles of runs have no mean: of
   * them it is the middle run's, with the least and the most of any run.
   */
  SmallSampleStatistics.Gain figure(int cell, TunedMetric response) {
    if (!response.isPercentile()) {
      return response.figure(mean(cell, response));
    }
    double[] runs = perRun(cell, response);
    return runs.length == 0
        ? new SmallSampleStatistics.Gain(Double.NaN, Double.NaN, Double.NaN)
        : new SmallSampleStatistics.Gain(
            runs[runs.length / 2], runs[0], runs[runs.length - 1]);
  }

  /** What each run of a cell that tells a figure showed, the least first. */
  double[] perRun(int cell, TunedMetric response) {
    return of(cell).stream()
        .mapToDouble(response::percentile)
        .filter(Double::isFinite)
        .sorted()
        .toArray();
  }

  /** That figure in words; of percentiles from the least run to the most. */
  String text(int cell, TunedMetric response) {
    SmallSampleStatistics.Gain figure = figure(cell, response);
    return !Double.isFinite(figure.value())
        ? "n/a"
        : response.isPercentile()
            ? response.text(figure.low(), figure.high())
            : response.text(figure.value());
  }

  private List<Integer> finite(int cell, TunedMetric response) {
    return runs.keySet().stream()
        .filter(block -> Double.isFinite(cost(block, cell, response)))
        .toList();
  }

  private double[] costs(List<Integer> blocks, int cell, TunedMetric response) {
    return blocks.stream().mapToDouble(block -> cost(block, cell, response)).toArray();
  }

  /** A cell's cost under one schedule; where no run had it, its mean. */
  double under(long seed, int cell, TunedMetric response) {
    return of(cell).stream()
        .filter(run -> run.seed() == seed)
        .mapToDouble(response::cost)
        .filter(Double::isFinite)
        .average()
        .orElseGet(() -> mean(cell, response).value());
  }

  /** By how much a cell costs less than another, block by block. */
  double[] saved(int cell, int than, TunedMetric response) {
    return together(List.of(cell, than)).stream()
        .mapToDouble(block -> cost(block, than, response) - cost(block, cell, response))
        .filter(Double::isFinite)
        .toArray();
  }

  /** How often each cell is on the front; empty with fewer than two blocks of all of them. */
  Optional<ParetoFront.Chances> chances(List<Integer> cells, double target, long seed) {
    List<Integer> blocks = together(cells);
    if (blocks.size() < 2) {
      return Optional.empty();
    }
    List<TunedMetric> told = told(cells, blocks);
    double[][][] costs = new double[blocks.size()][cells.size()][told.size()];
    double[][] shares = new double[blocks.size()][cells.size()];
    for (int b = 0; b < blocks.size(); b++) {
      for (int c = 0; c < cells.size(); c++) {
        shares[b][c] = goodShare(blocks.get(b), cells.get(c));
        for (int r = 0; r < told.size(); r++) {
          costs[b][c][r] = cost(blocks.get(b), cells.get(c), told.get(r));
        }
      }
    }
    double[] tolerance = told.stream().mapToDouble(TunedMetric::tolerance).toArray();
    long[] requests =
        cells.stream().mapToLong(cell -> SloAttainment.requests(of(cell))).toArray();
    return Optional.of(
        ParetoFront.chances(costs, new SloAttainment(shares, requests, target), tolerance, seed));
  }
}
