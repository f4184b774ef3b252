package tallystick.analysis.change;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import tallystick.analysis.client.ClientIntervals.Column;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.Estimate;

/**
 * Both sides of one period, summed per scrape interval.
 *
 * @param lengths of the intervals in seconds
 * @param client the client's columns
 * @param engine the engine's columns by the names of {@link EngineColumns}, summed over engines
 * @param engines how many are summed
 * @param conditions what else is known of the period
 */
public record PeriodSums(
    double[] lengths,
    Map<Column, double[]> client,
    Map<String, double[]> engine,
    long engines,
    Conditions conditions) {

  /**
   * What is known of a period as a whole.
   *
   * @param overloaded whether requests in flight grew without end
   * @param toStreamEnd whether the engine's end is the stream's rather than the last token's
   * @param stillSeconds how long the load process stood still
   * @param engineStillSeconds how long the engine stood still
   * @param users of a closed loop, who ask again when they are answered; 0 in an open one
   * @param burstiness variance over mean of the arrivals per second; 1 for independent ones
   * @param longGapSeconds P95 of the client's gaps: how long a step with a prompt in it takes, where
   *     prompts are in enough of them
   */
  public record Conditions(
      boolean overloaded,
      boolean toStreamEnd,
      double stillSeconds,
      double engineStillSeconds,
      int users,
      double burstiness,
      double longGapSeconds) {}

  /** A sum per something the client counts. */
  Estimate perClient(Column sum, Column count) {
    return ratio(client.get(sum), client.get(count));
  }

  /** Mean of one of the engine's histograms. */
  Estimate engineMean(Latency latency) {
    return ratio(
        column(EngineColumns.sumOf(latency)), column(EngineColumns.countOf(latency)));
  }

  /** One of the engine's counters over another. */
  Estimate perEngine(String above, String below) {
    return ratio(column(above), column(below));
  }

  /** A column per second. */
  Estimate perSecond(double[] column) {
    return ratio(column, lengths);
  }

  private Estimate ratio(double[] sums, double[] counts) {
    return Estimate.ratio(sums, counts, conditions.overloaded());
  }

  /** Mean of a gauge; NaN where it is not known. */
  double average(String gauge) {
    return Arrays.stream(column(gauge)).average().orElse(Double.NaN);
  }

  /** Largest value of a gauge that has no sum over engines; NaN with several of them. */
  double largest(String gauge) {
    return engines == 1
        ? Arrays.stream(column(gauge)).max().orElse(Double.NaN)
        : Double.NaN;
  }

  /** An engine's column; all 0 where it has none. */
  double[] column(String name) {
    return engine.getOrDefault(name, new double[lengths.length]);
  }

  /** The chosen intervals of a grid's columns. */
  static double[] chosen(double[] all, int[] intervals) {
    return Arrays.stream(intervals).mapToDouble(i -> all[i]).toArray();
  }

  /** The columns a period needs, cut out of the grid. */
  public static Map<String, double[]> cut(IntervalGrid grid, int[] intervals) {
    Map<String, double[]> cut = new HashMap<>();
    for (Latency name : EngineColumns.LATENCIES) {
      for (String column :
          new String[] {EngineColumns.sumOf(name), EngineColumns.countOf(name)}) {
        cut.put(column, chosen(grid.growth(column), intervals));
      }
    }
    for (String column :
        new String[] {
          EngineColumns.PREEMPTIONS, EngineColumns.FINISHED, EngineColumns.PREFIX_QUERIES,
          EngineColumns.PREFIX_HITS, EngineColumns.GENERATION_TOKENS, EngineColumns.PROMPT_TOKENS
        }) {
      cut.put(column, chosen(grid.growth(column), intervals));
    }
    for (String gauge :
        new String[] {EngineColumns.RUNNING, EngineColumns.WAITING, EngineColumns.KV_USAGE}) {
      cut.put(gauge, chosen(grid.gauge(gauge), intervals));
    }
    return cut;
  }
}
