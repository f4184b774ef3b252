package tallystick.simengine;

/**
 * What one engine tells, each value at the event at which engines tell it; which metric counts or
 * shows it is said in the engine's {@code .families.tsv}.
 *
 * <p>Fed by the scheduler's outputs only. Callers hold the registry's monitor.
 */
final class EngineMetrics {
  private static final double NANOS = 1e9;

  private final MetricFeeds feeds;

  EngineMetrics(MetricRegistry registry, int rank) {
    feeds = new MetricFeeds(registry, rank);
  }

  /** The scheduler after a step. */
  void stepEnded(StepOutput.Statistics after) {
    feeds.tell(EngineEvent.RUNNING, after.running());
    feeds.tell(EngineEvent.WAITING, after.waiting());
    feeds.tell(EngineEvent.KV_USAGE, after.kvCacheUsage());
    feeds.tell(EngineEvent.PREFIX_QUERIES, after.prefixQueries());
    feeds.tell(EngineEvent.PREFIX_HITS, after.prefixHits());
    if (after.prefixQueries() > 0) {
      double share = (double) after.prefixHits() / after.prefixQueries();
      feeds.tell(EngineEvent.PREFIX_HIT_RATE, share);
    }
    drafted(after.drafts());
    for (BlockLifetimes.Eviction eviction : after.evictions()) {
      feeds.tell(EngineEvent.BLOCK_LIFETIME, eviction.lifetimeNanos() / NANOS);
      feeds.tell(EngineEvent.BLOCK_IDLE, eviction.idleNanos() / NANOS);
      for (long gap : eviction.reuseGapNanos()) {
        feeds.tell(EngineEvent.BLOCK_REUSE_GAP, gap / NANOS);
      }
    }
  }

  private void drafted(StepOutput.Drafts drafts) {
    if (drafts.count() == 0) {
      return;
    }
    feeds.tell(EngineEvent.DRAFTS, drafts.count());
    feeds.tell(EngineEvent.DRAFT_TOKENS, drafts.tokens());
    for (int position = 0; position < drafts.acceptedAt().length; position++) {
      int accepted = drafts.acceptedAt()[position];
      feeds.tell(EngineEvent.ACCEPTED_TOKENS, accepted);
      feeds.tell(EngineEvent.ACCEPTED_AT, accepted, Integer.toString(position));
    }
  }

  /** A step that brought at least one output. */
  void iteration(long computedPromptTokens, long newTokens) {
    feeds.tell(EngineEvent.STEP_ALL_TOKENS, computedPromptTokens + newTokens);
    feeds.tell(EngineEvent.STEP_TOKENS, newTokens);
  }

  /** A request's first output, with which its prompt is told whole. */
  void prefilled(Sequence sequence, long nowNanos) {
    feeds.tell(EngineEvent.PREFILLED_PROMPT, sequence.promptTokens);
    feeds.tell(
        EngineEvent.PREFILLED_COMPUTED, sequence.promptTokens - sequence.cachedTokens);
    feeds.tell(EngineEvent.PREFILLED_CACHED, sequence.cachedTokens);
    feeds.tell(EngineEvent.QUEUED, (sequence.scheduledNanos - sequence.queuedNanos) / NANOS);
    firstToken(nowNanos - sequence.arrivalNanos);
  }

  void firstToken(long nanos) {
    feeds.tell(EngineEvent.FIRST_TOKEN, nanos / NANOS);
  }

  /** An output after the first, with the time since the one before. */
  void laterOutput(long nanos, int tokens) {
    feeds.tell(EngineEvent.GAP, nanos / NANOS);
    for (int i = 0; i < tokens; i++) {
      feeds.tell(EngineEvent.GAP_OF_EACH_TOKEN, nanos / NANOS / tokens);
    }
  }

  void preempted(int count) {
    feeds.tell(EngineEvent.PREEMPTIONS, count);
  }

  /** A request that its client has left, or one of its choices. */
  void left() {
    feeds.tell(EngineEvent.ABORTED, 1);
  }

  /** A request, or one of its choices, that has ended. */
  void finished(FinishReason reason, TokenCounts counts, RequestTimes times) {
    if (reason == FinishReason.ABORT && feeds.tells(EngineEvent.ABORTED)) {
      left();
      return;
    }
    feeds.tell(EngineEvent.FINISHED, 1, reason.label());
    feeds.tell(EngineEvent.FINISHED_WHOLE, times.endToEndNanos() / NANOS);
    feeds.tell(EngineEvent.FINISHED_QUEUE, times.queueNanos() / NANOS);
    feeds.tell(EngineEvent.FINISHED_PREFILL, times.prefillNanos() / NANOS);
    feeds.tell(EngineEvent.FINISHED_INFERENCE, times.inferenceNanos() / NANOS);
    feeds.tell(EngineEvent.FINISHED_DECODE, times.decodeNanos() / NANOS);
    feeds.tell(EngineEvent.FINISHED_PREEMPTIONS, counts.preemptions());
    feeds.tell(EngineEvent.FINISHED_COMPUTED, counts.prompt() - counts.cached());
    feeds.tell(EngineEvent.FINISHED_CACHED, counts.cached());
    feeds.tell(EngineEvent.FINISHED_PROMPT, counts.prompt());
    feeds.tell(EngineEvent.FINISHED_OUTPUT, counts.generated());
    double perToken =
        counts.generated() > 1 ? times.decodeNanos() / NANOS / (counts.generated() - 1) : 0;
    feeds.tell(EngineEvent.FINISHED_PER_TOKEN, perToken);
    feeds.tell(EngineEvent.FINISHED_MAX_TOKENS, counts.maxTokens());
  }

  /** A whole request, all its choices. */
  void parentFinished(int choices, int mostGenerated) {
    feeds.tell(EngineEvent.CHOICES, choices);
    feeds.tell(EngineEvent.MOST_OUTPUT, mostGenerated);
  }

  /**
   * Tokens of one finished choice.
   *
   * @param prompt prompt tokens
   * @param cached of these, found in the cache
   * @param generated output tokens
   * @param maxTokens most output tokens it was allowed
   * @param preemptions times it was preempted
   */
  record TokenCounts(int prompt, int cached, int generated, int maxTokens, int preemptions) {}
}
