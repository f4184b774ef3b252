package tallystick.answer.chart;

import java.util.List;
import java.util.function.DoubleFunction;
import tallystick.answer.Tone;

/**
 * A figure run by run, with its levels and where they changed.
 *
 * @param name of the figure
 * @param words the same in words
 * @param runs the earliest first, at least two
 * @param levels stretches of one level; may be empty
 * @param changes where a level ends; may be empty
 * @param unit a figure of the axis in words
 */
public record LevelSeries(
    String name,
    String words,
    List<Run> runs,
    List<Level> levels,
    List<Change> changes,
    DoubleFunction<String> unit)
    implements Chart {
  /**
   * One run.
   *
   * @param release of the engine; empty where it does not say
   * @param title what is told of it where one points at it
   */
  public record Run(double value, String release, String title) {}

  /** Runs {@code from} up to but not {@code to} have this level. */
  public record Level(int from, int to, double value) {}

  /** The level changed before run {@code at}; {@code words} says by how much. */
  public record Change(int at, Tone tone, String words, String title) {}

  public LevelSeries {
    runs = List.copyOf(runs);
    levels = List.copyOf(levels);
    changes = List.copyOf(changes);
  }
}
