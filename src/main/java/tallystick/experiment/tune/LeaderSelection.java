package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.analysis.result.Strength;
import tallystick.answer.words.Numbers;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.scenario.Formatted;

/** Which cell deserves fresh pairs against the current one, or why none does. */
final class LeaderSelection {
  /** Fresh pairs find a price somewhat larger, or smaller, than blocks do. */
  private static final double ROOM = 1.2;

  private final Screening screening;
  private final DesignSpace grid;
  private final double share;
  private final NonInferiorityMargins margins;
  private final BlockMeasurements evidence;

  LeaderSelection(Screening screening, Screening.Question question, NonInferiorityMargins margins) {
    this.screening = screening;
    this.grid = question.grid();
    this.share = question.share();
    this.margins = margins;
    this.evidence = screening.evidence();
  }

  /**
   * The cell with the most goodput that seems to hold the objectives and to cost nothing; of equal
   * ones that with the smallest gaps. What looks best here looks better than it is, so its figures
   * decide nothing but that.
   */
  Optional<Configuration> leader() {
    List<Configuration> able = able().filter(cell -> prices(cell).isEmpty()).toList();
    double most = able.stream().mapToDouble(cell -> gain(cell).value()).max().orElse(0);
    return able.stream()
        .filter(cell -> gain(cell).value() >= most - worth())
        .min(Comparator.comparingDouble(cell -> itl(cell)));
  }

  /** Cells that hold the objectives and gain enough, whatever else they cost. */
  private Stream<Configuration> able() {
    return others().stream().filter(cell -> holds(cell) && gain(cell).value() >= worth());
  }

  private double itl(Configuration cell) {
    double mean = evidence.mean(cell.number(), TunedMetric.ITL_P99).value();
    return Double.isNaN(mean) ? Double.MAX_VALUE : mean;
  }

  /** The cell with the most goodput that holds the objectives, whatever else it costs. */
  Optional<Configuration> dearest() {
    return able().max(Comparator.comparingDouble(cell -> gain(cell).value()));
  }

  /**
   * Where the current cell breaks the objectives: the one with the most goodput, if neither drift
   * nor chance explains what it gains. It may break them as well.
   */
  Optional<TuneAnswer.Ahead> ahead() {
    return others().stream()
        .filter(cell -> goodShare(grid.current()) < share && !isDead(cell) && !isLeftOut(cell))
        .filter(cell -> gain(cell).low() > 0)
        .max(Comparator.comparingDouble(cell -> gain(cell).value()))
        .map(
            cell ->
                new TuneAnswer.Ahead(
                    cell, gain(cell).shares(), goodShare(cell),
                    SloAttainment.requests(evidence.of(cell.number()))));
  }

  /** About how many blocks more would tell whether a cell holds the objectives. */
  int blocksToTell(Configuration cell) {
    List<ComparedRun> runs = evidence.of(cell.number());
    return runs.size() < 2
        ? 2 - runs.size()
        : SloAttainment.runsNeeded(runs, share, TuneAnswer.MOST_BLOCKS) - runs.size();
  }

  /**
   * What a cell seems to be worse in than the current one, by more than is allowed. Settings that
   * break their objectives have nothing worth keeping.
   */
  List<String> prices(Configuration cell) {
    List<String> prices = new ArrayList<>();
    if (goodShare(grid.current()) < share) {
      return prices;
    }
    beyond(cell).forEach(
        (metric, worse) -> prices.add(metric.words() + " " + Numbers.signedPercent(worse)));
    double preempted = -saved(cell, TunedMetric.PREEMPTIONS).value();
    if (preempted > TunedMetric.PREEMPTED) {
      prices.add(TunedMetric.PREEMPTIONS.text(preempted) + " more preemptions per request");
    }
    return prices;
  }

  /** By how much it is worse than its margin allows. */
  private Map<ComparedMetric, Double> beyond(Configuration cell) {
    Map<TunedMetric, ComparedMetric> guarded =
        Map.of(
            TunedMetric.TTFT_P95, ComparedMetric.TTFT_P95,
            TunedMetric.ITL_P99, ComparedMetric.ITL_P99);
    Map<ComparedMetric, Double> beyond = new LinkedHashMap<>();
    for (TunedMetric response : List.of(TunedMetric.TTFT_P95, TunedMetric.ITL_P99)) {
      double worse = -saved(cell, response).value();
      double allowed = margins.byMetric().getOrDefault(guarded.get(response), Double.MAX_VALUE);
      if (worse > Math.log(1 + allowed)) {
        beyond.put(guarded.get(response), Math.expm1(worse));
      }
    }
    return beyond;
  }

  /**
   * Margins that accept what a cell costs, with room for what fresh pairs differ; none where
   * preemptions are a part of it, or where it costs more than a margin can be.
   */
  List<String> accepting(Configuration cell) {
    Map<ComparedMetric, Double> beyond = beyond(cell);
    List<String> accepting = new ArrayList<>();
    beyond.forEach(
        (metric, worse) -> {
          double percent = 10 * Math.ceil(ROOM * 10 * worse);
          if (percent <= 100 * NonInferiorityMargins.LARGEST) {
            accepting.add(Formatted.of("%s=%.0f%%", metric.code(), percent));
          }
        });
    return accepting.size() == prices(cell).size() ? accepting : List.of();
  }

  /** How much goodput a cell gains on the current one, as a logarithm. */
  SmallSampleStatistics.Gain gain(Configuration cell) {
    return screening.gain(cell.number());
  }

  SmallSampleStatistics.Gain saved(Configuration cell, TunedMetric response) {
    return SmallSampleStatistics.interval(
        evidence.saved(cell.number(), grid.current().number(), response));
  }

  private boolean holds(Configuration cell) {
    return !screening.standing(cell.number()).isOut() && goodShare(cell) >= share;
  }

  /** How many blocks count. */
  int blocks() {
    return screening.blocks().size();
  }

  double goodShare(Configuration cell) {
    return evidence.goodShare(cell.number());
  }

  List<Configuration> others() {
    return grid.cells().stream().filter(cell -> !cell.equals(grid.current())).toList();
  }

  /** How sure it is that no cell is worth changing for: none gains, holds and costs nothing. */
  Strength currentIsBest() {
    if (!(goodShare(grid.current()) >= share)) {
      return Strength.TOO_CLOSE;
    }
    return noneOf(others().stream().mapToDouble(cell -> Math.min(holding(cell), gaining(cell))));
  }

  /** How sure it is that no cell holds the objectives. */
  Strength noneHolds() {
    return noneOf(grid.cells().stream().mapToDouble(this::holding));
  }

  /** Sure counts all cells together: of many one looks better than it is. */
  private static Strength noneOf(DoubleStream chances) {
    double[] each = chances.toArray();
    double any = Arrays.stream(each).sum();
    return Strength.of(1 - any) == Strength.SURE
        ? Strength.SURE
        : Arrays.stream(each).allMatch(one -> Strength.of(1 - one) != Strength.TOO_CLOSE)
            ? Strength.LIKELY
            : Strength.TOO_CLOSE;
  }

  /** How probably a cell holds the objectives. */
  private double holding(Configuration cell) {
    if (fails(cell)) {
      return 0;
    }
    double chance = SloAttainment.chance(evidence.of(cell.number()), share);
    return Double.isNaN(chance) ? 1 : chance;
  }

  /** How probably a cell has a gain worth changing for. */
  private double gaining(Configuration cell) {
    if (isLeftOut(cell)) {
      return 0;
    }
    double chance =
        SmallSampleStatistics.chanceAbove(
            evidence.saved(cell.number(), grid.current().number(), TunedMetric.GOODPUT), worth());
    return Double.isNaN(chance) ? gain(cell).high() < worth() ? 0 : 1 : chance;
  }

  /** Cells that do as well as one: they hold, and their goodput is the same as far as it counts. */
  List<Configuration> asGoodAs(Configuration best) {
    return others().stream()
        .filter(cell -> !cell.equals(best) && holds(cell))
        .filter(cell -> Math.abs(gain(cell).value() - gain(best).value()) <= worth())
        .toList();
  }

  /** By how much a cell's gaps surely differ from another's; empty where they may be equal. */
  Optional<String> gaps(Configuration cell, Configuration than) {
    SmallSampleStatistics.Gain saved =
        SmallSampleStatistics.interval(
            evidence.saved(cell.number(), than.number(), TunedMetric.ITL_P99));
    boolean isSure = saved.low() > 0 || saved.high() < 0;
    return isSure && Math.abs(saved.value()) >= TunedMetric.ITL_P99.tolerance()
        ? Optional.of(Numbers.signedPercent(Math.expm1(-saved.value())))
        : Optional.empty();
  }

  /** Whether the cells that were measured fail, and the others were only predicted to be worse. */
  boolean isPredictedOnly() {
    return grid.cells().stream().allMatch(cell -> fails(cell) || isLeftOut(cell));
  }

  private boolean fails(Configuration cell) {
    return isDead(cell)
        || screening.standing(cell.number()).kind() == ConfigurationStatus.Kind.FAILS_OBJECTIVE;
  }

  /** Whether it gave nothing of its own to look at. */
  private boolean isDead(Configuration cell) {
    return switch (screening.standing(cell.number()).kind()) {
      case NOT_STARTED, DIED, SAME -> true;
      case FAILS_OBJECTIVE, ON_FRONT, OFF_FRONT, OPEN, LEFT_OUT -> false;
    };
  }

  private boolean isLeftOut(Configuration cell) {
    return screening.standing(cell.number()).kind() == ConfigurationStatus.Kind.LEFT_OUT;
  }

  private static double worth() {
    return TunedMetric.GOODPUT.tolerance();
  }

  /** The gain that a cell hardly exceeds, all cells together. */
  private double most(Configuration cell) {
    double[] gains =
        evidence.saved(cell.number(), grid.current().number(), TunedMetric.GOODPUT);
    double reach = SmallSampleStatistics.reach(gains, 1 - (1 - Screening.SURE) / others().size());
    return Double.isNaN(reach)
        ? Double.POSITIVE_INFINITY
        : SmallSampleStatistics.mean(gains) + reach;
  }

  /** About how many blocks more would tell whether a gain is worth changing for. */
  int blocksNeeded() {
    int played = screening.blocks().size();
    double times =
        others().stream()
            .filter(cell -> !fails(cell) && !isLeftOut(cell))
            .mapToDouble(
                cell ->
                    (most(cell) - gain(cell).value()) / Math.max(worth(), gain(cell).value()))
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN);
    if (played < 2 || Double.isNaN(times)) {
      return Math.max(1, 2 - played);
    }
    double needed = Math.ceil(played * times * times) - played;
    return (int) Math.max(1, Math.min(TuneAnswer.MOST_BLOCKS, needed));
  }
}
