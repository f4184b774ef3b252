package tallystick.analysis.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engine's figures per scrape interval, summed over engines and targets on one target's scrape
 * times. Interval i ends at the i-th time; the first time only begins the grid. Targets are scraped
 * at times of their own, so a growth counts where the middle of its stretch lies.
 */
public final class IntervalGrid {
  private final double[] times;
  private final List<ScrapeColumns> engines;

  public IntervalGrid(EngineReading reading) {
    this(
        reading.loadSeconds(),
        reading.engines().stream().map(EngineReading.Engine::table).toList());
  }

  private IntervalGrid(double[] times, List<ScrapeColumns> engines) {
    this.times = times;
    this.engines = engines;
  }

  /** One grid for each engine by its name, on the scrape times of its own target. */
  public static Map<String, IntervalGrid> ofEach(EngineReading reading) {
    Map<String, IntervalGrid> grids = new TreeMap<>();
    Map<Integer, double[]> seconds = reading.secondsUnderLoad();
    for (EngineReading.Engine engine : reading.engines()) {
      double[] times = seconds.getOrDefault(engine.target(), new double[0]);
      grids.put(engine.name(), new IntervalGrid(times, List.of(engine.table())));
    }
    return grids;
  }

  /** Intervals of the grid. */
  public int size() {
    return Math.max(0, times.length - 1);
  }

  public double startSeconds(int interval) {
    return times[interval];
  }

  public double endSeconds(int interval) {
    return times[interval + 1];
  }

  /** The median length of an interval. */
  public double typicalSeconds() {
    double[] lengths = new double[size()];
    Arrays.setAll(lengths, i -> times[i + 1] - times[i]);
    Arrays.sort(lengths);
    return lengths.length == 0 ? Double.NaN : lengths[lengths.length / 2];
  }

  /** The interval a moment lies in, its end included; -1 if in none. */
  public int indexOf(double seconds) {
    int found = Arrays.binarySearch(times, seconds);
    int index = found >= 0 ? found - 1 : -found - 2;
    return index >= 0 && index < size() ? index : -1;
  }

  /** Whether any of the engines tells a column; those that do not add nothing to its growth. */
  public boolean knows(String column) {
    return engines.stream().anyMatch(table -> table.has(column));
  }

  /** Growth of a counter per interval. */
  public double[] growth(String column) {
    double[] sums = new double[size()];
    engines.forEach(
        table -> {
          double[] middles = table.middles();
          double[] values = table.values(column);
          for (int row = 0; row < middles.length; row++) {
            int interval = indexOf(middles[row]);
            if (interval >= 0 && !Double.isNaN(values[row])) {
              sums[interval] += values[row];
            }
          }
        });
    return sums;
  }

  /**
   * A gauge at the end of each interval, added up: of every engine the newest value; of one that
   * was not scraped at that very moment, the newest up to half an interval later.
   */
  public double[] gauge(String column) {
    double[] sums = new double[size()];
    engines.forEach(
        table -> {
          double[] seconds = table.seconds();
          double[] values = table.values(column);
          double tolerance = typicalSeconds() / 2;
          double newest = 0;
          int row = 0;
          for (int interval = 0; interval < sums.length; interval++) {
            double end = endSeconds(interval);
            double limit = Arrays.binarySearch(seconds, end) >= 0 ? end : end + tolerance;
            while (row < seconds.length && seconds[row] <= limit) {
              newest = Double.isNaN(values[row]) ? newest : values[row];
              row++;
            }
            sums[interval] += end <= table.endSeconds() ? newest : 0;
          }
        });
    return sums;
  }

  /** Engines that are added up. */
  public long engines() {
    return engines.size();
  }
}
