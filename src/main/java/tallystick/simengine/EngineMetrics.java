package tallystick.simengine;

import java.util.EnumMap;
import java.util.Map;
import tallystick.simengine.MetricRegistry.Series;

/**
 * vLLM's {@code vllm:} families, each observed at the event at which vLLM observes it.
 *
 * <p>Fed by the scheduler's outputs only. Callers hold the registry's monitor.
 */
final class EngineMetrics {
  private static final double NANOS = 1e9;

  private final MetricRegistry registry;
  private final Map<FinishReason, Series> success = new EnumMap<>(FinishReason.class);
  private final Series running;
  private final Series waiting;
  private final Series waitingForCapacity;
  private final Series kvCacheUsage;
  private final Series prefixQueries;
  private final Series prefixHits;
  private final Series cachedOnDevice;
  private final Series preemptions;
  private final Series promptTokens;
  private final Series promptComputed;
  private final Series promptCacheHit;
  private final Series promptCached;
  private final Series generationTokens;
  private final Series iterationTokens;
  private final Series timeToFirstToken;
  private final Series interTokenLatency;

  EngineMetrics(MetricRegistry registry) {
    this.registry = registry;
    running = registry.series("vllm:num_requests_running");
    waiting = registry.series("vllm:num_requests_waiting");
    waitingForCapacity = registry.series("vllm:num_requests_waiting_by_reason", "capacity");
    kvCacheUsage = registry.series("vllm:kv_cache_usage_perc");
    prefixQueries = registry.series("vllm:prefix_cache_queries");
    prefixHits = registry.series("vllm:prefix_cache_hits");
    cachedOnDevice = registry.series("vllm:prompt_tokens_cached_by_source", "device");
    preemptions = registry.series("vllm:num_preemptions");
    promptTokens = registry.series("vllm:prompt_tokens");
    promptComputed = registry.series("vllm:prompt_tokens_by_source", "local_compute");
    promptCacheHit = registry.series("vllm:prompt_tokens_by_source", "local_cache_hit");
    promptCached = registry.series("vllm:prompt_tokens_cached");
    generationTokens = registry.series("vllm:generation_tokens");
    iterationTokens = registry.series("vllm:iteration_tokens_total");
    timeToFirstToken = registry.series("vllm:time_to_first_token_seconds");
    interTokenLatency = registry.series("vllm:inter_token_latency_seconds");
    for (FinishReason reason : FinishReason.values()) {
      success.put(reason, registry.series("vllm:request_success", reason.label()));
    }
    registry.set(registry.series("vllm:engine_sleep_state", "awake"), 1);
    registry.set(registry.series("vllm:cache_config_info"), 1);
  }

  /** The scheduler after a step. */
  void stepEnded(StepOutput.Statistics after) {
    registry.set(running, after.running());
    registry.set(waiting, after.waiting());
    registry.set(waitingForCapacity, after.waiting());
    registry.set(kvCacheUsage, after.kvCacheUsage());
    registry.increment(prefixQueries, after.prefixQueries());
    registry.increment(prefixHits, after.prefixHits());
    registry.increment(cachedOnDevice, after.prefixHits());
    for (BlockLifetimes.Eviction eviction : after.evictions()) {
      observe("vllm:kv_block_lifetime_seconds", eviction.lifetimeNanos() / NANOS);
      observe("vllm:kv_block_idle_before_evict_seconds", eviction.idleNanos() / NANOS);
      for (long gap : eviction.reuseGapNanos()) {
        observe("vllm:kv_block_reuse_gap_seconds", gap / NANOS);
      }
    }
  }

  /** A step that brought at least one output. */
  void iteration(long computedPromptTokens, long newTokens) {
    registry.observe(iterationTokens, computedPromptTokens + newTokens);
    registry.increment(generationTokens, newTokens);
  }

  /** A request's prompt, booked whole with its first output. */
  void prefilled(int prompt, int cached) {
    registry.increment(promptTokens, prompt);
    registry.increment(promptComputed, prompt - cached);
    registry.increment(promptCacheHit, cached);
    registry.increment(promptCached, cached);
  }

  void firstToken(long nanos) {
    registry.observe(timeToFirstToken, nanos / NANOS);
  }

  void laterToken(long nanos) {
    registry.observe(interTokenLatency, nanos / NANOS);
  }

  void preempted(int count) {
    registry.increment(preemptions, count);
  }

  /** A request, or one of its choices, that has ended. */
  void finished(FinishReason reason, TokenCounts counts, RequestTimes times) {
    registry.increment(success.get(reason), 1);
    observe("vllm:e2e_request_latency_seconds", times.endToEndNanos() / NANOS);
    observe("vllm:request_queue_time_seconds", times.queueNanos() / NANOS);
    observe("vllm:request_prefill_time_seconds", times.prefillNanos() / NANOS);
    observe("vllm:request_inference_time_seconds", times.inferenceNanos() / NANOS);
    observe("vllm:request_decode_time_seconds", times.decodeNanos() / NANOS);
    observe("vllm:request_num_preemptions", counts.preemptions());
    observe("vllm:request_prefill_kv_computed_tokens", counts.prompt() - counts.cached());
    observe("vllm:request_prompt_tokens", counts.prompt());
    observe("vllm:request_generation_tokens", counts.generated());
    double perToken =
        counts.generated() > 1 ? times.decodeNanos() / NANOS / (counts.generated() - 1) : 0;
    observe("vllm:request_time_per_output_token_seconds", perToken);
    observe("vllm:request_params_max_tokens", counts.maxTokens());
  }

  /** A whole request, all its choices. */
  void parentFinished(int choices, int mostGenerated) {
    observe("vllm:request_params_n", choices);
    observe("vllm:request_max_num_generation_tokens", mostGenerated);
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

  private void observe(String family, double value) {
    registry.observe(registry.series(family), value);
  }
}
