package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.List;
import tallystick.answer.chart.HeatMap;

/**
 * A map of each figure over two flags.
 *
 * @param grid the cells
 * @param screening what the blocks say
 */
record HeatMaps(DesignSpace grid, Screening screening) {

  /** None where not two flags vary in full. */
  List<HeatMap> maps() {
    if (grid.factors().size() != 2 || !grid.isFull()) {
      return List.of();
    }
    List<HeatMap> maps = new ArrayList<>();
    for (TunedMetric response : TunedMetric.values()) {
      maps.add(map(response));
    }
    return maps;
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
