package tallystick.analysis.engine;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One engine's figures per scrape, as columns over a common time axis. A failed scrape is a row of
 * NaN. Memory grows with the number of scrapes, not of requests.
 */
final class ScrapeColumns {
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private double[] seconds = new double[64];
  private double[] middles = new double[64];
  private double lastKnown;
  private int rows;
  private double endSeconds = Double.POSITIVE_INFINITY;

  /** One figure, a value for each row. */
  static final class Column {
    private double[] values;

    private Column(double[] values) {
      this.values = values;
    }
  }

  /**
   * A table without rows.
   *
   * @param before time of the scrape from which the first row counts its growth; NaN for none
   */
  ScrapeColumns(double before) {
    this.lastKnown = before;
  }

  /** Begins a row at this time; every column is NaN until set. */
  void row(double atSeconds) {
    if (rows == seconds.length) {
      seconds = Arrays.copyOf(seconds, rows * 2);
      middles = Arrays.copyOf(middles, rows * 2);
      columns.values().forEach(
          one -> {
            one.values = Arrays.copyOf(one.values, rows * 2);
            Arrays.fill(one.values, rows, rows * 2, Double.NaN);
          });
    }
    seconds[rows] = atSeconds;
    middles[rows] = Double.isNaN(lastKnown) ? atSeconds : (lastKnown + atSeconds) / 2;
    rows++;
  }

  /** The column of that name, which is there from now on. */
  Column column(String name) {
    return columns.computeIfAbsent(name, any -> new Column(unknownSoFar()));
  }

  /** Adds to a value of the current row; the first addition replaces NaN. */
  void add(Column column, double value) {
    double before = current(column);
    column.values[rows - 1] = Double.isNaN(before) ? value : before + value;
  }

  /** Keeps the larger value in the current row. */
  void raise(Column column, double value) {
    double before = current(column);
    column.values[rows - 1] = Double.isNaN(before) ? value : Math.max(before, value);
  }

  /** Nothing is known of the engine after this moment, because it is not there any more. */
  void end(double atSeconds) {
    endSeconds = atSeconds;
  }

  double endSeconds() {
    return endSeconds;
  }

  /** From now on nothing was ever set there. */
  void forget(String column) {
    columns.remove(column);
  }

  boolean has(String column) {
    return columns.containsKey(column);
  }

  double[] seconds() {
    return Arrays.copyOf(seconds, rows);
  }

  /**
   * Half-way between each row and the row with values before it, in seconds: the middle of the
   * stretch over which a counter's growth stands in the row. A row with none before it is its own.
   */
  double[] middles() {
    return Arrays.copyOf(middles, rows);
  }

  /** A column's values; all NaN where nothing was ever set. */
  double[] values(String column) {
    return Arrays.copyOf(has(column) ? columns.get(column).values : unknownSoFar(), rows);
  }

  private double current(Column column) {
    lastKnown = seconds[rows - 1];
    return column.values[rows - 1];
  }

  private double[] unknownSoFar() {
    double[] values = new double[seconds.length];
    Arrays.fill(values, Double.NaN);
    return values;
  }
}
