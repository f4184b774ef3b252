package tallystick.analysis.result;

import java.util.List;

/**
 * A distribution read from an engine histogram between the ledger's two scrapes.
 *
 * @param metric family name as exposed, for example {@code vllm:time_to_first_token_seconds}
 * @param count observations in the window
 * @param mean exact: delta of sum over delta of count
 * @param brackets the bucket each percentile lies in; never one interpolated number
 * @param buckets the window's cumulative counts
 */
public record EngineDistribution(
    String metric, double count, Figure mean, List<Bracket> brackets, List<Bucket> buckets) {

  /**
   * The bucket a percentile lies in: the engine's order statistic is in (low, high].
   *
   * @param level q
   * @param low lower edge, 0 for the first bucket
   * @param high upper edge, infinite in the last bucket; missing where the count is too small
   */
  public record Bracket(double level, Figure low, Figure high) {}

  /** Cumulative count at one upper edge. */
  public record Bucket(double edge, double cumulative) {}

  public EngineDistribution {
    brackets = List.copyOf(brackets);
    buckets = List.copyOf(buckets);
  }
}
