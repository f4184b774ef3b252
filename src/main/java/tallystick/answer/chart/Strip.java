package tallystick.answer.chart;

import java.util.List;
import tallystick.answer.Tone;

/**
 * How a threshold parts values, small enough for a table's cell.
 *
 * @param words what it shows
 * @param threshold a line
 * @param end of the axis, which begins at 0; what lies beyond stands at the end
 */
public record Strip(String words, List<Value> values, double threshold, double end)
    implements Chart {

  /** One value and whose it is. */
  public record Value(double at, Tone tone) {}

  public Strip {
    values = List.copyOf(values);
  }
}
