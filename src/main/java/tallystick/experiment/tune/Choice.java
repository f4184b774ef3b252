package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tallystick.answer.words.Numbers;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.Margins;

/** Which cell deserves fresh pairs against the current one, or why none does. */
final class Choice {
  /** From so many on, blocks are no way to an answer. */
  static final int MOST_BLOCKS = 100;

  /** Fresh pairs find a price somewhat larger, or smaller, than blocks do. */
  private static final double ROOM = 1.2;

  private final Screening screening;
  private final Grid grid;
  private final double share;
  private final Margins margins;
  private final Evidence evidence;

  Choice(Screening screening, Screening.Question question, Margins margins) {
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
  Optional<Cell> leader() {
    List<Cell> able =
        others().stream()
            .filter(cell -> holds(cell) && gain(cell).value() >= Response.GOODPUT.tolerance())
            .filter(cell -> prices(cell).isEmpty())
            .toList();
    double most = able.stream().mapToDouble(cell -> gain(cell).value()).max().orElse(0);
    return able.stream()
        .filter(cell -> gain(cell).value() >= most - Response.GOODPUT.tolerance())
        .min(Comparator.comparingDouble(cell -> itl(cell)));
  }

  private double itl(Cell cell) {
    double mean = evidence.mean(cell.number(), Response.ITL_P99).value();
    return Double.isNaN(mean) ? Double.MAX_VALUE : mean;
  }

  /** The cell with the most goodput that holds the objectives, whatever else it costs. */
  Optional<Cell> dearest() {
    return others().stream()
        .filter(cell -> holds(cell) && gain(cell).value() >= Response.GOODPUT.tolerance())
        .max(Comparator.comparingDouble(cell -> gain(cell).value()));
  }

  /**
   * What a cell seems to be worse in than the current one, by more than is allowed. Settings that
   * break their objectives have nothing worth keeping.
   */
  List<String> prices(Cell cell) {
    List<String> prices = new ArrayList<>();
    if (goodShare(grid.current()) < share) {
      return prices;
    }
    beyond(cell).forEach(
        (metric, worse) -> prices.add(metric.words() + " " + Numbers.signedPercent(worse)));
    double preempted = -saved(cell, Response.PREEMPTIONS).value();
    if (preempted > Response.PREEMPTED) {
      prices.add(Response.PREEMPTIONS.text(preempted) + " more preemptions per request");
    }
    return prices;
  }

  /** By how much it is worse than its margin allows. */
  private Map<ComparedMetric, Double> beyond(Cell cell) {
    Map<Response, ComparedMetric> guarded =
        Map.of(
            Response.TTFT_P95, ComparedMetric.TTFT_P95,
            Response.ITL_P99, ComparedMetric.ITL_P99);
    Map<ComparedMetric, Double> beyond = new LinkedHashMap<>();
    for (Response response : List.of(Response.TTFT_P95, Response.ITL_P99)) {
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
  List<String> accepting(Cell cell) {
    Map<ComparedMetric, Double> beyond = beyond(cell);
    List<String> accepting = new ArrayList<>();
    beyond.forEach(
        (metric, worse) -> {
          double percent = 10 * Math.ceil(ROOM * 10 * worse);
          if (percent <= 100 * Margins.LARGEST) {
            accepting.add(String.format(Locale.ROOT, "%s=%.0f%%", metric.code(), percent));
          }
        });
    return accepting.size() == prices(cell).size() ? accepting : List.of();
  }

  /** How much goodput a cell gains on the current one, as a logarithm. */
  Few.Gain gain(Cell cell) {
    return saved(cell, Response.GOODPUT);
  }

  Few.Gain saved(Cell cell, Response response) {
    return Few.interval(
        evidence.saved(cell.number(), grid.current().number(), response));
  }

  private boolean holds(Cell cell) {
    return !screening.standing(cell.number()).isOut() && goodShare(cell) >= share;
  }

  double goodShare(Cell cell) {
    return evidence.goodShare(cell.number());
  }

  List<Cell> others() {
    return grid.cells().stream().filter(cell -> !cell.equals(grid.current())).toList();
  }

  /** Whether no cell that holds the objectives can have a gain worth changing for. */
  boolean isCurrentBest() {
    return evidence.together(List.of(grid.current().number())).size() >= 2
        && goodShare(grid.current()) >= share
        && others().stream()
            .allMatch(cell -> fails(cell) || isLeftOut(cell) || most(cell) < worth());
  }

  /** Whether it is proven that no cell holds the objectives. */
  boolean doesNoneHold() {
    return grid.cells().stream().allMatch(this::fails);
  }

  /** Whether the cells that were measured fail, and the others were only predicted to be worse. */
  boolean isPredictedOnly() {
    return grid.cells().stream().allMatch(cell -> fails(cell) || isLeftOut(cell));
  }

  private boolean fails(Cell cell) {
    return switch (screening.standing(cell.number()).kind()) {
      case FAILS_OBJECTIVE, NOT_STARTED, DIED, SAME -> true;
      case ON_FRONT, OFF_FRONT, OPEN, LEFT_OUT -> false;
    };
  }

  private boolean isLeftOut(Cell cell) {
    return screening.standing(cell.number()).kind() == Standing.Kind.LEFT_OUT;
  }

  private static double worth() {
    return Response.GOODPUT.tolerance();
  }

  /** The gain that a cell hardly exceeds, all cells together. */
  private double most(Cell cell) {
    double[] gains =
        evidence.saved(cell.number(), grid.current().number(), Response.GOODPUT);
    double reach = Few.reach(gains, 1 - (1 - Screening.SURE) / others().size());
    return Double.isNaN(reach) ? Double.POSITIVE_INFINITY : Few.mean(gains) + reach;
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
    return (int) Math.max(1, Math.min(MOST_BLOCKS, needed));
  }
}
