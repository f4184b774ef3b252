package tallystick.answer.chart;

import java.util.List;
import java.util.function.DoubleFunction;
import tallystick.answer.Tone;

/**
 * Points and lines over two axes: a curve, a scatter plot, two distributions one over the other.
 *
 * @param title what it shows
 * @param words what its marks mean; stands below it, for those who do not see it too
 * @param series each with a name of its own where there are several; the last lies on top
 * @param guides limits and intervals, below everything else
 */
public record Plot(
    String title, String words, Axis across, Axis up, List<Series> series, List<Guide> guides)
    implements Chart {

  /**
   * One axis.
   *
   * @param name what it counts, with its unit
   * @param most where it ends at the latest, so that what lies far beyond hides nothing; infinite
   *     where all is shown
   * @param text a value of it in words
   */
  public record Axis(String name, Reach reach, double most, DoubleFunction<String> text) {
    public Axis(String name, Reach reach, DoubleFunction<String> text) {
      this(name, reach, Double.POSITIVE_INFINITY, text);
    }
  }

  /** Which values an axis shows. */
  public enum Reach {
    /** From zero to the largest. */
    FROM_ZERO,
    /** Whole numbers from half before the first to half after the last. */
    PLACES,
    /** From the least to the largest. */
    WITHIN,
    /** A latency: logarithmic where values differ much, else from zero. */
    LATENCY,
    /** Logarithmic. */
    LOGARITHMIC
  }

  /**
   * Points that look alike.
   *
   * @param name what a legend calls them; empty where it needs not tell
   */
  public record Series(String name, Tone tone, Shape shape, Line line, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /** How a point looks: no kind is told by its colour alone. */
  public enum Shape {
    DISC,
    CROSS,
    RING,
    DOT,
    /** A ring around another mark. */
    HALO,
    NONE
  }

  /** How points are joined; one that is not a number parts the line. */
  public enum Line {
    NONE,
    SOLID,
    DASHED
  }

  /**
   * One point.
   *
   * @param label stands beside it where there is room; may be empty
   * @param title told where one points at it; empty where it has nothing to tell
   * @param page of what it stands for, seen from the page it is drawn on; empty where it has none
   */
  public record Point(double x, double y, String label, String title, String page) {
    /** A point that leads nowhere. */
    public Point(double x, double y, String label, String title) {
      this(x, y, label, title, "");
    }

    /** A point of a line, which has nothing to tell by itself. */
    public static Point of(double x, double y) {
      return new Point(x, y, "", "");
    }
  }

  /**
   * A limit, or an interval, over the whole plot.
   *
   * @param isAcross whether its values lie on the axis across
   * @param low where it begins; minus infinity where nothing bounds it
   * @param high where it ends; the same as {@code low} for a limit
   * @param label may be empty
   */
  public record Guide(boolean isAcross, double low, double high, Tone tone, String label) {
    /** A line at one value. */
    public static Guide at(boolean isAcross, double value, Tone tone, String label) {
      return new Guide(isAcross, value, value, tone, label);
    }
  }

  public Plot {
    series = series.stream().filter(one -> !one.points().isEmpty()).toList();
    guides = List.copyOf(guides);
  }
}
