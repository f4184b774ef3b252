package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.answer.chart.HeatMap;

/** All cells in figures, and a map of each figure. */
final class HeatMaps {
  private final TuneEnd end;
  private final Evidence evidence;

  HeatMaps(TuneEnd end) {
    this.end = end;
    this.evidence = end.screening().evidence();
  }

  List<HeatMap> maps() {
    if (end.grid().factors().size() != 2 || !end.grid().isFull()) {
      return List.of();
    }
    List<HeatMap> maps = new ArrayList<>();
    for (Response response : Response.values()) {
      maps.add(map(response));
    }
    return maps;
  }

  private HeatMap map(Response response) {
    List<Few.Gain> figures =
        end.grid().cells().stream()
            .map(cell -> response.figure(evidence.mean(cell.number(), response)))
            .toList();
    double[] known =
        figures.stream().mapToDouble(Few.Gain::value).filter(Double::isFinite).sorted().toArray();
    List<HeatMap.Tile> tiles = new ArrayList<>();
    for (Cell cell : end.grid().cells()) {
      Few.Gain figure = figures.get(cell.number());
      double width = known.length == 0 ? 0 : known[known.length - 1] - known[0];
      boolean isKnown = Double.isFinite(figure.value());
      tiles.add(
          new HeatMap.Tile(
              isKnown ? response.text(figure.value()) : "n/a",
              figure.hasEnds()
                  ? response.text(figure.low()) + " to " + response.text(figure.high())
                  : "",
              isKnown && width > 0 ? (figure.value() - known[0]) / width : 0,
              end.screening().standing(cell.number()).kind().words()));
    }
    List<Grid.Factor> factors = end.grid().factors();
    return new HeatMap(
        response.title(), named(factors.get(0)), named(factors.get(1)), tiles);
  }

  private static List<String> named(Grid.Factor factor) {
    List<String> all = new ArrayList<>(List.of(factor.flag()));
    all.addAll(factor.values());
    return all;
  }

  String text() {
    StringBuilder text = new StringBuilder("All cells (95 % intervals over blocks)\n");
    end.grid().cells().forEach(cell -> text.append(line(cell)).append('\n'));
    text.append(ForecastWords.of(end.screening()).table());
    for (HeatMap map : maps()) {
      text.append('\n').append(text(map));
    }
    List<Interaction> interactions = Interaction.of(end.grid(), evidence);
    if (!interactions.isEmpty()) {
      text.append("\nDoes one flag change what the other does? (Holm over these)\n");
      interactions.forEach(
          one ->
              text.append(
                  String.format(
                      Locale.ROOT, "  %-10s %s (p %.3g), up to %s of a cell\n",
                      one.response().words(), one.isSeen() ? "yes" : "not seen", one.chance(),
                      TuneWords.signed(one.largest()))));
    }
    return text.toString();
  }

  private String line(Cell cell) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-16s", cell.words()));
    for (Response response : Response.values()) {
      Few.Gain figure = response.figure(evidence.mean(cell.number(), response));
      line.append(response.words()).append(' ').append(words(response, figure)).append("  ");
    }
    for (Speed speed : Speed.values()) {
      Few.Gain figure = speed.of(evidence.of(cell.number()));
      line.append(speed.name().toLowerCase(Locale.ROOT).replace('_', ' ')).append(' ')
          .append(Double.isFinite(figure.value())
              ? String.format(Locale.ROOT, "%.4g", figure.value())
              : "n/a")
          .append("  ");
    }
    Standing standing = end.screening().standing(cell.number());
    line.append(standing.kind().words());
    return (standing.why().isEmpty() ? line : line.append(": ").append(standing.why())).toString();
  }

  private static String words(Response response, Few.Gain figure) {
    if (!Double.isFinite(figure.value())) {
      return "n/a";
    }
    return response.text(figure.value())
        + (figure.hasEnds()
            ? " [" + response.text(figure.low()) + ", " + response.text(figure.high()) + "]"
            : "");
  }

  private static String text(HeatMap map) {
    StringBuilder text = new StringBuilder(map.title());
    text.append(": ").append(map.rows().getFirst()).append(" down, ")
        .append(map.columns().getFirst()).append(" across\n");
    int columns = map.columns().size() - 1;
    int width = 2 + map.tiles().stream().mapToInt(tile -> words(tile).length()).max().orElse(0);
    String padded = "%-" + Math.max(10, width) + "s";
    text.append("  ").append(" ".repeat(8));
    map.columns().subList(1, columns + 1)
        .forEach(one -> text.append(String.format(Locale.ROOT, padded, one)));
    for (int i = 0; i < map.tiles().size(); i++) {
      if (i % columns == 0) {
        text.append(
            String.format(Locale.ROOT, "%n  %-8s", map.rows().get(1 + i / columns)));
      }
      text.append(String.format(Locale.ROOT, padded, words(map.tiles().get(i))));
    }
    return text.toString().replaceAll("(?m) +$", "") + "\n";
  }

  private static String words(HeatMap.Tile tile) {
    return tile.interval().isEmpty()
        ? tile.figure()
        : tile.figure() + " (" + tile.interval() + ")";
  }
}
