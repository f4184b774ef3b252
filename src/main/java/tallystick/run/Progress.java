package tallystick.run;

/**
 * How far a run is; shown to people, never recorded as it is.
 *
 * @param stage where the run's protocol stands
 * @param elapsedNanos time since the stage began; of a load, since its origin
 * @param totalNanos length of the stage, 0 where it is not known
 * @param planned requests of the stage; 0 where it ends by its time and nobody knows them
 * @param sent requests started
 * @param inFlight requests started and not ended
 * @param ok requests that ended well
 * @param failed requests that failed
 * @param left requests that the client left on purpose
 * @param waits what the client waited in requests that ended, TTFT from the intended start
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
    long left,
    Waits waits,
    double largestFirstTokenSeconds,
    EngineGauges engine) {

  /** The stages a run goes through. */
  public enum Stage {
    WAITING_FOR_QUIET,
    REHEARSING,
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
   * @param waits its own histograms since it started
   */
  public record EngineGauges(
      double waiting, double running, double kvCacheUsageRatio, double preemptions, Waits waits) {
    /** Nothing known. */
    public static final EngineGauges UNKNOWN =
        new EngineGauges(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Waits.NONE);
  }

  /**
   * Sums that only grow: the mean of a stretch is the growth of one by the growth of another.
   *
   * @param firstTokenSeconds of all times to first token
   * @param firstTokens how many they are
   * @param gapSeconds of all times between tokens
   * @param gaps how many they are
   */
  public record Waits(
      double firstTokenSeconds, double firstTokens, double gapSeconds, double gaps) {
    /** Nothing counted. */
    public static final Waits NONE = new Waits(0, 0, 0, 0);

    /** What came since; not sensible where a counter began anew. */
    public Waits since(Waits before) {
      return new Waits(
          firstTokenSeconds - before.firstTokenSeconds, firstTokens - before.firstTokens,
          gapSeconds - before.gapSeconds, gaps - before.gaps);
    }

    /** Mean time to first token; NaN where there is none. */
    public double firstToken() {
      return firstTokens > 0 && firstTokenSeconds >= 0
          ? firstTokenSeconds / firstTokens
          : Double.NaN;
    }

    /** Mean time between tokens; NaN where there is none. */
    public double gap() {
      return gaps > 0 && gapSeconds >= 0 ? gapSeconds / gaps : Double.NaN;
    }
  }
}
