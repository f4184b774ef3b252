package tallystick.simengine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One engine: scheduler, front end and metrics, moved on by a driver that owns the clock.
 *
 * <p>Not safe for threads: one driver thread calls it. The metrics may be read from any thread.
 */
final class EngineCore {
  private final EngineSettings settings;
  private final MetricRegistry registry;
  private final Scheduler scheduler;
  private final Frontend frontend;
  private List<Sequence> stopped = List.of();
  private long nextSequence;

  /** An engine made at the given UTC time, in seconds since 1970. */
  EngineCore(EngineSettings settings, double createdSeconds) {
    this.settings = settings;
    SchedulerSettings scheduling = settings.scheduler();
    registry =
        new MetricRegistry(
            MetricFamily.ofRelease(
                EngineSettings.RELEASE,
                constants(settings),
                scheduling.maxModelLen(),
                ServerMetrics::isOfEngine),
            createdSeconds);
    scheduler =
        new Scheduler(
            scheduling, settings.profile(), new TokenSource(settings.seed()), settings.seed());
    frontend =
        new Frontend(new EngineMetrics(registry), new LostToken(settings.lostTokenPosition()));
  }

  /** Takes a request in; every choice becomes a sequence. */
  Frontend.Request submit(
      Generation generation, Delivery.Receiver receiver, long arrivalNanos, long nowNanos) {
    List<Sequence> sequences = new ArrayList<>(generation.choices());
    Sequence.Admission admission =
        new Sequence.Admission(generation.priority(), arrivalNanos);
    for (int i = 0; i < generation.choices(); i++) {
      sequences.add(
          new Sequence(
              nextSequence++,
              generation.prompt(),
              generation.limits(),
              admission,
              settings.scheduler().blockSize()));
    }
    Frontend.Request request = frontend.register(generation, receiver, sequences);
    sequences.forEach(sequence -> scheduler.add(sequence, nowNanos));
    return request;
  }

  /** Ends a request whose client has gone; nothing more is booked or delivered for it. */
  void cancel(Frontend.Request request) {
    frontend.forget(request);
    request.sequences().forEach(scheduler::abort);
  }

  /** Ends every request on the engine's own account; clients are told {@code abort}. */
  void abortAll(long nowNanos) {
    frontend.openSequences().forEach(scheduler::abort);
    synchronized (registry) {
      frontend.abortAll(nowNanos);
    }
  }

  /** Counts a request that is turned away because too many are in the server. */
  void countRejection() {
    synchronized (registry) {
      registry.increment(
          registry.series("vllm:admission_rejections", "max_num_queued_reqs"), 1);
    }
  }

  boolean hasWork() {
    return scheduler.hasWork();
  }

  /** Begins a step; how long the model runs, in nanoseconds. */
  long beginStep(long nowNanos) {
    return scheduler.schedule(nowNanos);
  }

  /** Ends the step that was begun: books and delivers its outputs. */
  void endStep(long nowNanos) {
    // A stop string is found after the scheduler has planned the next step, as in vLLM, where the
    // front end's abort reaches the core while the model runs.
    stopped.forEach(scheduler::abort);
    StepOutput step = scheduler.finishStep(nowNanos);
    synchronized (registry) {
      stopped = frontend.accept(step);
    }
  }

  boolean resetPrefixCache() {
    return scheduler.resetPrefixCache();
  }

  MetricRegistry registry() {
    return registry;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  private static Map<String, String> constants(EngineSettings settings) {
    SchedulerSettings scheduling = settings.scheduler();
    long cacheTokens = (long) scheduling.numGpuBlocks() * scheduling.blockSize();
    Map<String, String> constants = new HashMap<>();
    constants.put("engine", "0");
    constants.put("model_name", settings.model());
    constants.put("block_size", Integer.toString(scheduling.blockSize()));
    constants.put("effective_attention_block_size", Integer.toString(scheduling.blockSize()));
    constants.put("enable_prefix_caching", scheduling.enablePrefixCaching() ? "True" : "False");
    constants.put(
        "kv_cache_max_concurrency",
        Exposition.number((double) cacheTokens / scheduling.maxModelLen()));
    constants.put("kv_cache_memory_bytes", "None");
    constants.put("kv_cache_size_tokens", Long.toString(cacheTokens));
    constants.put("num_gpu_blocks", Integer.toString(scheduling.numGpuBlocks()));
    constants.put("num_gpu_blocks_override", Integer.toString(scheduling.numGpuBlocks()));
    constants.put("prefix_caching_hash_algo", "splitmix64");
    return constants;
  }
}
