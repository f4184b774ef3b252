package tallystick.simengine;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import tallystick.simengine.MetricRegistry.Series;

/**
 * One engine's {@code vllm:} series, each observed at the event at which vLLM observes it.
 *
 * <p>Fed by the scheduler's outputs only. Callers hold the registry's monitor.
 */
final class EngineMetrics {
  private static final double NANOS = 1e9;

  private final MetricRegistry registry;
  private final String engine;
  private final Map<String, Series> observed = new HashMap<>();
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

  EngineMetrics(MetricRegistry registry, int rank) {
    this.registry = registry;
    this.engine = Integer.toString(rank);
    running = own("vllm:num_requests_running");
    waiting = own("vllm:num_requests_waiting");
    waitingForCapacity = own("vllm:num_requests_waiting_by_reason", "reason", "capacity");
    kvCacheUsage = own("vllm:kv_cache_usage_perc");
    prefixQueries = own("vllm:prefix_cache_queries");
    prefixHits = own("vllm:prefix_cache_hits");
    cachedOnDevice = own("vllm:prompt_tokens_cached_by_source", "source", "device");
    preemptions = own("vllm:num_preemptions");
    promptTokens = own("vllm:prompt_tokens");
    promptComputed = own("vllm:prompt_tokens_by_source", "source", "local_compute");
    promptCacheHit = own("vllm:prompt_tokens_by_source", "source", "local_cache_hit");
    promptCached = own("vllm:prompt_tokens_cached");
    generationTokens = own("vllm:generation_tokens");
    iterationTokens = own("vllm:iteration_tokens_total");
    timeToFirstToken = own("vllm:time_to_first_token_seconds");
    interTokenLatency = own("vllm:inter_token_latency_seconds");
    for (FinishReason reason : FinishReason.values()) {
      success.put(reason, own("vllm:request_success", "finished_reason", reason.label()));
    }
    registry.set(own("vllm:engine_sleep_state", "sleep_state", "awake"), 1);
    registry.set(own("vllm:cache_config_info"), 1);
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
    drafted(after.drafts());
    for (BlockLifetimes.Eviction eviction : after.evictions()) {
      observe("vllm:kv_block_lifetime_seconds", eviction.lifetimeNanos() / NANOS);
      observe("vllm:kv_block_idle_before_evict_seconds", eviction.idleNanos() / NANOS);
      for (long gap : eviction.reuseGapNanos()) {
        observe("vllm:kv_block_reuse_gap_seconds", gap / NANOS);
      }
    }
  }

  private void drafted(StepOutput.Drafts drafts) {
    if (drafts.count() == 0) {
      return;
    }
    registry.increment(own("vllm:spec_decode_num_drafts"), drafts.count());
    registry.increment(own("vllm:spec_decode_num_draft_tokens"), drafts.tokens());
    for (int position = 0; position < drafts.acceptedAt().length; position++) {
      int accepted = drafts.acceptedAt()[position];
      registry.increment(own("vllm:spec_decode_num_accepted_tokens"), accepted);
      registry.increment(
          own(
              "vllm:spec_decode_num_accepted_tokens_per_pos",
              "position",
              Integer.toString(position)),
          accepted);
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

  /** A gap is observed once for an output, however many tokens it brings. */
  void laterOutput(long nanos) {
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
    registry.observe(observed.computeIfAbsent(family, this::own), value);
  }

  private Series own(String family) {
    return registry.series(family, Map.of("engine", engine));
  }

  private Series own(String family, String label, String value) {
    return registry.series(family, Map.of("engine", engine, label, value));
  }
}
