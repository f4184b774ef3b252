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
   * @param longGapSeconds P95 of the client's gaps: how long a step with a prompt in it takes,
   *     where prompts are in enough of them
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
    return ratio(column(EngineColumns.sumOf(latency)), column(EngineColumns.countOf(latency)));
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
    return engines == 1 ? Arrays.stream(column(gauge)).max().orElse(Double.NaN) : Double.NaN;
  }

  /** An engine's column; all 0 where it has none. */
  double[] column(String name) {
    return engine.getOrDefault(name, new double[lengths.length]);
  }

  /** What others had finished and computed, as a share of this run's; below 0 where unknown. */
  double foreignShare() {
    // A run's own requests end in this period or the next, and several choices share a prompt.
    double own = Math.max(sum(Column.ENDS), sum(Column.ARRIVALS));
    double prompts = Math.max(1, sum(Column.PROMPT_TOKENS));
    return Math.min(
        total(EngineColumns.FINISHED) / Math.max(1, own),
        total(EngineColumns.PROMPT_TOKENS) / prompts) - 1;
  }

  double foreignRate() {
    double own = Math.max(sum(Column.ENDS), sum(Column.ARRIVALS));
    return Math.max(0, foreignShare()) * own / Arrays.stream(lengths).sum();
  }

  private double sum(Column column) {
    return Arrays.stream(client.get(column)).sum();
  }

  private double total(String counter) {
    return Arrays.stream(column(counter)).sum();
  }

  /** One without speculative decoding; NaN where gaps are not told. */
  double tokensPerStep() {
    double later = total(EngineColumns.GENERATION_TOKENS)
        - total(EngineColumns.countOf(Latency.TTFT));
    return later / total(EngineColumns.countOf(Latency.ITL));
  }

  Estimate rate() {
    // The drain after the last arrival offers nothing; counting it would dilute the rate.
    double[] arrivals = client.get(Column.ARRIVALS);
    double[] offering = lengths.clone();
    for (int i = offering.length - 1; i >= 0 && arrivals[i] == 0; i--) {
      offering[i] = 0;
    }
    return Estimate.ratio(arrivals, offering, false);
  }

  Estimate prompts() {
    return perClient(Column.PROMPT_TOKENS, Column.PROMPTS);
  }

  Estimate answers() {
    Estimate later = perClient(Column.LATER_TOKENS, Column.ANSWERS);
    return new Estimate(later.value() + 1, later.pulls(), false);
  }

  /** Of all prompt tokens: an engine without a cache looks nothing up, and reuses nothing. */
  Estimate hits() {
    return perEngine(EngineColumns.PREFIX_HITS, EngineColumns.PROMPT_TOKENS);
  }

  Estimate missed() {
    Estimate hits = hits();
    return hits.combined(1 - hits.value(), -1, hits, 0);
  }

  Estimate preemptions() {
    return perEngine(EngineColumns.PREEMPTIONS, EngineColumns.FINISHED);
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
