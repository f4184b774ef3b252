package tallystick.report.picture;

import java.util.Comparator;
import java.util.stream.Stream;
import tallystick.answer.chart.HeatMap;
import tallystick.report.markup.Markup;
import tallystick.scenario.Formatted;

/** A figure over two flags: the more of it, the darker; every figure stands in its tile. */
record HeatPicture(HeatMap map) {
  private static final int WIDE = 138; // units of the drawing: three fit beside another map
  private static final int HIGH = 64; // units of the drawing
  private static final int LEFT = 84; // room for labels
  private static final int TOP = 44; // room for labels
  private static final double DARKEST = 0.5; // layout
  private static final Comparator<HeatMap.Tile> WARMTH =
      Comparator.comparingDouble(HeatMap.Tile::warmth);

  void draw(Markup html) {
    int columns = map.columns().size() - 1;
    int width = LEFT + columns * WIDE;
    int height = TOP + (map.rows().size() - 1) * HIGH;
    html.open("h3", "")
        .term(map.title())
        .close("h3")
        .raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
        .text(map.title())
        .raw("\"><svg class=\"tiles\" role=\"img\" aria-label=\"")
        .text(map.title() + " over " + map.rows().getFirst() + " and " + map.columns().getFirst())
        .raw("\" data-heads=\"")
        .text(map.rows().getFirst() + "," + map.columns().getFirst())
        .raw(Formatted.of(
            "\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">%n", width,
            height, width, height));
    SvgText.put(
        html, 0, 16, SvgText.Anchor.START, SvgText.SOFT, map.rows().getFirst() + " down, "
        + map.columns().getFirst() + " across");
    for (int column = 0; column < columns; column++) {
      words(html, LEFT + column * WIDE + 8, TOP - 8, map.columns().get(column + 1));
    }
    for (int i = 0; i < map.tiles().size(); i++) {
      if (i % columns == 0) {
        words(html, 0, TOP + i / columns * HIGH + 26, map.rows().get(1 + i / columns));
      }
      html.raw("<g data-at=\"")
          .text(map.rows().get(1 + i / columns) + "," + map.columns().get(1 + i % columns))
          .raw("\">\n");
      tile(html, map.tiles().get(i), LEFT + i % columns * WIDE, TOP + i / columns * HIGH);
      html.close("g");
    }
    html.raw("</svg></div>\n").element("p", "text muted", legend());
  }

  /** What the shades mean; of figures that are all alike there is one shade. */
  private String legend() {
    if (known().count() == 0) {
      return "No figure is known.";
    }
    String least = known().min(WARMTH).orElseThrow().figure();
    String most = known().max(WARMTH).orElseThrow().figure();
    return least.equals(most)
        ? "Every figure is " + least + "."
        : "Pale is the least, " + least + "; dark is the most, " + most
            + "; today's setting is ringed.";
  }

  private Stream<HeatMap.Tile> known() {
    return map.tiles().stream().filter(tile -> !tile.figure().equals("n/a"));
  }

  private static void tile(Markup html, HeatMap.Tile tile, int x, int y) {
    html.raw(Formatted.of(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" stroke=\"var(--%s)\""
            + " stroke-width=\"%d\" fill=\"var(--engine)\" fill-opacity=\"%.3f\"/>%n",
        x, y, WIDE - 4, HIGH - 4, tile.isToday() ? "ink" : "line", tile.isToday() ? 3 : 1,
        DARKEST * tile.warmth()));
    words(html, x + 8, y + 20, tile.figure());
    words(html, x + 8, y + 36, tile.interval());
    words(html, x + 8, y + 52, tile.standing());
  }

  private static void words(Markup html, int x, int y, String words) {
    SvgText.put(html, x, y, SvgText.Anchor.START, "var(--ink)", words);
  }
}
