package tallystick.run;

/**
 * How far a run is; shown to people, never recorded as it is.
 *
 * @param stage where the run's protocol stands
 * @param elapsedNanos time since the stage began; of a load, since its origin
 * @param totalNanos length of the stage, 0 where it is not known
 * @param planned requests of the stage
 * @param sent requests started
 * @param inFlight requests started and not ended
 * @param ok requests that ended well
 * @param failed requests that ended otherwise
 * @param meanFirstTokenSeconds mean client TTFT so far, from the intended start; NaN before any
 * @param largestFirstTokenSeconds largest client TTFT so far; NaN before any
 * @param engine what the engine's latest scrape said
 */
public record Progress(
    Stage stage,
    long elapsedNanos,
    long totalNanos,
    long planned,
    long sent,
    long inFlight,
    long ok,
    long failed,
    double meanFirstTokenSeconds,
    double largestFirstTokenSeconds,
    EngineGauges engine) {

  /** The stages a run goes through. */
  public enum Stage {
    WAITING_FOR_QUIET,
    WARMUP,
    MEASURING,
    DRAINING,
    CLOSING
  }

  /**
   * Gauges of the latest scrape, summed over targets and engines; NaN where unknown.
   *
   * @param waiting {@code vllm:num_requests_waiting}
   * @param running {@code vllm:num_requests_running}
   * @param kvCacheUsageRatio largest {@code vllm:kv_cache_usage_perc}
   * @param preemptions {@code vllm:num_preemptions_total} since the run began
   */
  public record EngineGauges(
      double waiting, double running, double kvCacheUsageRatio, double preemptions) {
    /** Nothing known. */
    public static final EngineGauges UNKNOWN =
        new EngineGauges(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }
}
