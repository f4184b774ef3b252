package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.HeatMap;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.Numbers;

/**
 * What the blocks measured, drawn: goodput against ITL, and a map of each figure over two flags.
 *
 * @param grid the cells
 * @param screening what the blocks say
 */
record TuneCharts(DesignSpace grid, Screening screening) {

  /** All of them beside each other. */
  Section section() {
    List<Chart> charts = new ArrayList<>(maps());
    tradeOff().ifPresent(charts::addFirst);
    return Section.of(
        "maps", "Goodput against gaps, and each figure setting by setting",
        charts.isEmpty() ? List.of() : List.of(Chart.besides(charts)));
  }

  /**
   * Goodput up, ITL across: a setting is better the farther up and to the left it stands. None
   * where fewer than two settings have both figures.
   */
  private Optional<Plot> tradeOff() {
    List<Configuration> shown =
        grid.cells().stream()
            .filter(
                cell ->
                    Double.isFinite(figure(cell, TunedMetric.GOODPUT))
                        && Double.isFinite(figure(cell, TunedMetric.ITL_P99)))
            .sorted(Comparator.comparingDouble(cell -> figure(cell, TunedMetric.ITL_P99)))
            .toList();
    List<Plot.Point> best = points(shown, ConfigurationStatus.Kind.ON_FRONT);
    List<Plot.Series> series = new ArrayList<>();
    series.add(
        new Plot.Series(
            "", Tone.MUTED, Plot.Shape.NONE, Plot.Line.DASHED,
            best.stream()
                .map(point -> Plot.Point.of(point.x(), point.y()))
                .toList()));
    for (ConfigurationStatus.Kind kind : ConfigurationStatus.Kind.values()) {
      series.add(series(kind, points(shown, kind)));
    }
    series.add(
        new Plot.Series(
            "today's setting", Tone.PLAIN, Plot.Shape.HALO, Plot.Line.NONE,
            shown.stream()
                .filter(grid.current()::equals)
                .map(cell -> point(cell, ""))
                .toList()));
    return shown.size() < 2
        ? Optional.empty()
        : Optional.of(
            new Plot(
                "Goodput against ITL P99",
                "Each mark is one setting: the farther up and to the left, the better."
                    + (best.size() > 1 ? " The dashed line joins the best trade-offs." : ""),
                new Plot.Axis("ITL P99", Plot.Reach.WITHIN, TunedMetric.ITL_P99::text),
                new Plot.Axis(
                    "goodput, good requests/s", Plot.Reach.WITHIN, Numbers::threshold),
                series, List.of()));
  }

  private static Plot.Series series(
      ConfigurationStatus.Kind kind, List<Plot.Point> points) {
    return switch (kind) {
      case ON_FRONT ->
          new Plot.Series("best", Tone.GOOD, Plot.Shape.DISC, Plot.Line.NONE, points);
      case OPEN ->
          new Plot.Series(
              "too close to call", Tone.CAUTION, Plot.Shape.RING, Plot.Line.NONE, points);
      case FAILS_OBJECTIVE ->
          new Plot.Series(
              "fails the objectives", Tone.BAD, Plot.Shape.CROSS, Plot.Line.NONE, points);
      case OFF_FRONT, SAME, NOT_STARTED, DIED, LEFT_OUT ->
          new Plot.Series(
              kind == ConfigurationStatus.Kind.OFF_FRONT ? "not among the best" : kind.words(),
              Tone.MUTED, Plot.Shape.DOT, Plot.Line.NONE, points);
    };
  }

  private List<Plot.Point> points(
      List<Configuration> cells, ConfigurationStatus.Kind kind) {
    return cells.stream()
        .filter(cell -> screening.standing(cell.number()).kind() == kind)
        .map(cell -> point(cell, cell.words()))
        .toList();
  }

  private Plot.Point point(Configuration cell, String label) {
    double goodput = figure(cell, TunedMetric.GOODPUT);
    double gaps = figure(cell, TunedMetric.ITL_P99);
    return new Plot.Point(
        gaps, goodput, label,
        cell.flags() + ": goodput " + TunedMetric.GOODPUT.text(goodput) + ", ITL P99 "
            + TunedMetric.ITL_P99.text(gaps));
  }

  private double figure(Configuration cell, TunedMetric response) {
    return screening.evidence().figure(cell.number(), response).value();
  }

  /** None where not two flags vary in full. */
  private List<HeatMap> maps() {
    return grid.factors().size() == 2 && grid.isFull()
        ? Stream.of(TunedMetric.values()).map(this::map).toList()
        : List.of();
  }

  private HeatMap map(TunedMetric response) {
    List<SmallSampleStatistics.Gain> figures =
        grid.cells().stream()
            .map(cell -> screening.evidence().figure(cell.number(), response))
            .toList();
    double[] known =
        figures.stream()
            .mapToDouble(SmallSampleStatistics.Gain::value)
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    List<HeatMap.Tile> tiles = new ArrayList<>();
    for (Configuration cell : grid.cells()) {
      SmallSampleStatistics.Gain figure = figures.get(cell.number());
      double width = known.length == 0 ? 0 : known[known.length - 1] - known[0];
      boolean isKnown = Double.isFinite(figure.value());
      tiles.add(
          new HeatMap.Tile(
              isKnown ? response.text(figure.value()) : "n/a",
              figure.hasEnds()
                  ? response.text(figure.low()) + " to " + response.text(figure.high())
                  : "",
              isKnown && width > 0 ? (figure.value() - known[0]) / width : 0,
              screening.standing(cell.number()).kind().code(), cell.equals(grid.current())));
    }
    List<DesignSpace.Factor> factors = grid.factors();
    return new HeatMap(
        response.title(), named(factors.get(0)), named(factors.get(1)), tiles);
  }

  private static List<String> named(DesignSpace.Factor factor) {
    List<String> all = new ArrayList<>(List.of(factor.flag()));
    all.addAll(factor.values());
    return all;
  }
}
