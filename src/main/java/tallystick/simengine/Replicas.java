package tallystick.simengine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The engines behind one server: equal copies that share nothing but the exposition, in which the
 * label {@code engine} tells them apart.
 */
final class Replicas {
  private final MetricRegistry registry;
  private final MetricFeeds feeds;
  private final LoadBalancer balancer;
  private final List<EngineCore> cores;

  /** As many engines as the settings ask for, made at the given UTC time in seconds. */
  Replicas(EngineSettings settings, double createdSeconds) {
    registry =
        new MetricRegistry(
            MetricFamily.of(
                    settings.release().kind(),
                    constants(settings),
                    settings.scheduler().maxModelLen())
                .stream()
                .filter(family -> isExposed(family, settings))
                .toList(),
            settings.names(),
            createdSeconds);
    feeds = new MetricFeeds(registry, 0);
    balancer = new LoadBalancer(settings.dataParallelSize());
    EngineCore.Shared shared =
        new EngineCore.Shared(registry, balancer, new AtomicLong(settings.lostTokenPosition()));
    List<EngineCore> all = new ArrayList<>();
    for (int rank = 0; rank < settings.dataParallelSize(); rank++) {
      all.add(new EngineCore(settings, rank, shared));
    }
    cores = List.copyOf(all);
  }

  /** The engines by rank. */
  List<EngineCore> cores() {
    return cores;
  }

  /** Every family of every engine. */
  MetricRegistry registry() {
    return registry;
  }

  /** Decides which engine takes a request. */
  LoadBalancer balancer() {
    return balancer;
  }

  /** Counts a request that is turned away because too many are in the server. */
  void countRejection(String reason) {
    synchronized (registry) {
      feeds.tell(EngineEvent.REJECTED, 1, reason);
    }
  }

  private static Map<String, List<String>> constants(EngineSettings settings) {
    SchedulerSettings scheduling = settings.scheduler();
    long cacheTokens = (long) scheduling.numGpuBlocks() * scheduling.blockSize();
    String blockSize = Integer.toString(scheduling.blockSize());
    String blocks = Integer.toString(scheduling.numGpuBlocks());
    Map<String, List<String>> constants = new HashMap<>();
    constants.put("engine", numbers(settings.dataParallelSize()));
    constants.put("model_name", List.of(settings.model()));
    constants.put("block_size", List.of(blockSize));
    constants.put("effective_attention_block_size", List.of(blockSize));
    constants.put(
        "enable_prefix_caching", List.of(scheduling.enablePrefixCaching() ? "True" : "False"));
    constants.put(
        "kv_cache_max_concurrency",
        List.of(NumberText.of((double) cacheTokens / scheduling.maxModelLen())));
    constants.put("kv_cache_memory_bytes", List.of("None"));
    constants.put("kv_cache_size_tokens", List.of(Long.toString(cacheTokens)));
    constants.put("num_gpu_blocks", List.of(blocks));
    constants.put("num_gpu_blocks_override", List.of(blocks));
    constants.put("position", numbers(scheduling.speculation().tokens()));
    constants.put("prefix_caching_hash_algo", List.of("splitmix64"));
    return constants;
  }

  private static boolean isExposed(MetricFamily family, EngineSettings settings) {
    return family.isOfEngine()
        && (settings.scheduler().speculation().isOn() || !family.tellsDrafts());
  }

  /** {@code 0}, {@code 1} and so on. */
  private static List<String> numbers(int count) {
    return java.util.stream.IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }
}
