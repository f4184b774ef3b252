package tallystick.answer.chart;

import java.util.List;

/**
 * A figure over two flags.
 *
 * @param title what it shows
 * @param rows values of the first flag, after its name
 * @param columns values of the second flag, after its name
 * @param tiles row by row
 */
public record HeatMap(String title, List<String> rows, List<String> columns, List<Tile> tiles)
    implements Chart {

  /**
   * One cell.
   *
   * @param figure in words; {@code n/a} where nobody knows
   * @param interval of 95 %, in words; empty where nobody knows
   * @param warmth from 0, the least on the map, to 1, the most
   * @param standing where the cell stands
   * @param isToday whether it is what runs today, which is ringed
   */
  public record Tile(
      String figure, String interval, double warmth, String standing, boolean isToday) {}

  public HeatMap {
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
    tiles = List.copyOf(tiles);
  }
}
