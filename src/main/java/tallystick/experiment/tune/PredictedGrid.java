package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.experiment.regress.ComparedRun;

/**
 * What a profile of the engine predicts of every cell, and which cells are so surely worse that
 * they need not be measured. It is simulated, all of it.
 *
 * @param grid what is tried
 * @param share of the requests that must be good
 * @param plays the runs of all cells: as the profile has it, then faster and slower by the error
 *     it is assumed to have; empty where nothing is predicted
 */
record PredictedGrid(DesignSpace grid, double share, List<List<ComparedRun>> plays) {
  /** How far the predictions of a fitted profile may be off. */
  static final double ERROR = 0.1;

  /** The times of a step in the plays, as shares of the profile's. */
  static final List<Double> TIMES = List.of(1.0, 1 - ERROR, 1 + ERROR);

  /** What is compared with a prediction; preemptions are often none and have no ratio. */
  static final List<TunedMetric> COMPARED =
      List.of(TunedMetric.GOODPUT, TunedMetric.ITL_P99, TunedMetric.TTFT_P95);

  private int current() {
    return grid.current().number();
  }

  /** Cells that are predicted to be worse in every play; why, by cell. Never the current one. */
  Map<Integer, String> worse() {
    Map<Integer, String> worse = new LinkedHashMap<>();
    if (!plays.isEmpty()) {
      for (Configuration cell : grid.cells()) {
        if (cell.number() != current()) {
          why(cell.number()).ifPresent(why -> worse.put(cell.number(), why));
        }
      }
    }
    return worse;
  }

  private Optional<String> why(int cell) {
    if (plays.stream().allMatch(play -> fails(play, cell))) {
      return Optional.of("predicted to fail the objectives, and to have less goodput than now");
    }
    return grid.cells().stream()
        .filter(other -> plays.stream().allMatch(play -> isBetter(play, other.number(), cell)))
        .findFirst()
        .map(other -> other.words() + " is predicted to be better");
  }

  private boolean holds(List<ComparedRun> play, int cell) {
    return TunedMetric.goodShare(play.get(cell)) >= share;
  }

  private boolean fails(List<ComparedRun> play, int cell) {
    return TunedMetric.goodShare(play.get(cell)) < share
        && saved(play, current(), cell, TunedMetric.GOODPUT) > Math.log(1 + ERROR);
  }

  /** Worse in nothing, and better in something by more than the error. */
  private boolean isBetter(List<ComparedRun> play, int other, int cell) {
    boolean isNoWorse =
        Stream.of(TunedMetric.values())
            .allMatch(one -> saved(play, other, cell, one) >= -one.tolerance());
    return isNoWorse
        && holds(play, other)
        && COMPARED.stream()
            .anyMatch(one -> saved(play, other, cell, one) > Math.log(1 + ERROR));
  }

  private static double saved(List<ComparedRun> play, int by, int than, TunedMetric response) {
    return response.cost(play.get(than)) - response.cost(play.get(by));
  }

  /** Of the cells that look worse the one with the most goodput: it is measured all the same. */
  Optional<Integer> check() {
    return worse().keySet().stream()
        .min(Comparator.comparingDouble(cell -> cost(cell, TunedMetric.GOODPUT)));
  }

  /** What is not measured as long as the check cell and the current one are as predicted. */
  List<Integer> leftOut() {
    int check = check().orElse(-1);
    return worse().keySet().stream().filter(cell -> cell != check).toList();
  }

  /** A cell's predicted cost; not a number where nothing is predicted. */
  double cost(int cell, TunedMetric response) {
    return plays.isEmpty() ? Double.NaN : response.cost(plays.getFirst().get(cell));
  }

  /** What was measured and not predicted; empty where the predictions are right so far. */
  Optional<String> betrayal(BlockMeasurements measured) {
    for (int cell : List.of(check().orElseThrow(), current())) {
      String name = grid.cells().get(cell).words();
      int seen = 0;
      for (TunedMetric response : COMPARED) {
        double cost = measured(measured, cell, response);
        DoubleSummaryStatistics costs =
            plays.stream().mapToDouble(play -> response.cost(play.get(cell))).summaryStatistics();
        if (cost < costs.getMin() - Math.log(1 + ERROR)
            || cost > costs.getMax() + Math.log(1 + ERROR)) {
          return Optional.of(
              name + " has " + response.words() + " " + text(response, cost) + ", predicted "
                  + text(response, cost(cell, response)));
        }
        seen += Double.isFinite(cost + costs.getSum()) ? 1 : 0;
      }
      if (seen == 0) {
        return Optional.of(name + " could not be measured");
      }
    }
    return Optional.empty();
  }

  /** A prediction is of one schedule; runs of that one stand beside it where there are some. */
  private double measured(BlockMeasurements evidence, int cell, TunedMetric response) {
    return evidence.under(plays.getFirst().get(cell).seed(), cell, response);
  }

  private static String text(TunedMetric response, double cost) {
    return response.text(response.figure(cost));
  }

  /** One figure of a measured cell beside its prediction. */
  record Beside(Configuration cell, TunedMetric response, double predicted, double measured) {
    double off() {
      return predicted / measured - 1;
    }

    boolean isWithin() {
      return Math.abs(off()) <= ERROR;
    }
  }

  /** Every figure that was predicted and measured. */
  List<Beside> beside(BlockMeasurements measured) {
    List<Beside> all = new ArrayList<>();
    for (Configuration cell : grid.cells()) {
      for (TunedMetric response : COMPARED) {
        double here = cost(cell.number(), response);
        double there = measured(measured, cell.number(), response);
        if (Double.isFinite(here) && Double.isFinite(there)) {
          all.add(new Beside(cell, response, response.figure(here), response.figure(there)));
        }
      }
    }
    return all;
  }
}
