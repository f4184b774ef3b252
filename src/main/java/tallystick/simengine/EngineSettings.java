package tallystick.simengine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything the embedded engine is configured with.
 *
 * @param model served model name
 * @param scheduler scheduler and KV cache
 * @param profile how long steps take
 * @param serving the API server's options
 * @param faults what goes wrong on demand
 * @param seed of tokens, noise and sampling
 * @param dataParallelSize engines behind the one server, each with a scheduler and a cache of its
 *     own
 * @param endTokenShare chance of each token to be the end token where a request allows one
 * @param release which release's names the metrics have
 */
public record EngineSettings(
    String model,
    SchedulerSettings scheduler,
    StepTimeProfile profile,
    Serving serving,
    List<Fault> faults,
    long seed,
    int dataParallelSize,
    double endTokenShare,
    NamedRelease release) {

  /** The vLLM release whose behaviour is simulated, and whose families by default. */
  public static final String RELEASE = EngineKind.VLLM.release();

  /** What {@code /version} says; the local part tells that the engine is simulated. */
  public static final String VERSION = RELEASE + "+tallystick.sim";

  /** Whether a server that gives this version is a simulated engine of ours. */
  public static boolean isSimulated(String version) {
    return version.endsWith("+tallystick.sim");
  }

  /**
   * Whose names the metrics have, whatever release the engine behaves like.
   *
   * @param kind which engine
   * @param version for example {@code 0.11.2}
   * @param showHidden value of {@code --show-hidden-metrics-for-version}; empty if not given
   * @param names what the release calls its families
   */
  public record NamedRelease(
      EngineKind kind, String version, String showHidden, MetricNames names) {}

  /**
   * Options of the API server.
   *
   * @param apiKey key that {@code /v1} asks for; empty means none
   * @param streamInterval tokens between two chunks of a stream after the first
   * @param enablePerRequestMetrics whether usage chunks carry the engine's timings
   * @param enablePromptTokensDetails whether usage tells cached tokens
   * @param enableRequestIdHeaders whether answers carry {@code x-request-id}
   * @param maxNumQueuedReqs requests in the server before 503 is answered; 0 means no limit
   * @param maxNumQueuedTokens prompt tokens of requests without a first token before 503 is
   *     answered; 0 means no limit
   * @param keepAliveSeconds after which an idle connection is closed
   * @param reasoningTokens first tokens of each streamed chat answer that are its thinking
   */
  public record Serving(
      String apiKey,
      int streamInterval,
      boolean enablePerRequestMetrics,
      boolean enablePromptTokensDetails,
      boolean enableRequestIdHeaders,
      int maxNumQueuedReqs,
      int maxNumQueuedTokens,
      double keepAliveSeconds,
      int reasoningTokens) {}

  public EngineSettings {
    faults = List.copyOf(faults);
    if (model.isEmpty()) {
      throw new IllegalArgumentException("served-model-name must not be empty");
    }
    for (Fault fault : faults) {
      int engine = fault.engine();
      if (engine >= dataParallelSize) {
        throw new IllegalArgumentException(
            "the fault's engine must be below data-parallel-size, was " + engine + " of "
                + dataParallelSize);
      }
    }
  }

  /** The default engine. */
  public static EngineSettings defaults() {
    return ofFlags(Map.of());
  }

  /**
   * The default engine with some flags set.
   *
   * @param flags names as in {@link EngineFlag#all()}, also with {@code _} for {@code -};
   *     several faults are separated by {@code ;}
   * @throws IllegalArgumentException if a flag is unknown or its value cannot be
   */
  public static EngineSettings ofFlags(Map<String, String> flags) {
    Map<String, String> dashed = new HashMap<>();
    flags.forEach((flag, value) -> dashed.put(flag.replace('_', '-'), value));
    dashed.keySet().forEach(EngineFlag::named);
    Flags all = new Flags(dashed);
    return new EngineSettings(
        all.text("served-model-name"),
        scheduler(all),
        StepTimeProfile.named(all.text("profile")),
        serving(all),
        all.has("fault") ? faults(all.text("fault")) : List.of(),
        all.whole("seed"),
        all.count("data-parallel-size"),
        all.number("end-token-share"),
        release(all));
  }

  /** The same engine with a release's names. */
  public EngineSettings named(MetricNames names) {
    return new EngineSettings(
        model, scheduler, profile, serving, faults, seed, dataParallelSize, endTokenShare,
        new NamedRelease(release.kind(), release.version(), release.showHidden(), names));
  }

  /** The same engine with steps that take other times. */
  public EngineSettings with(StepTimeProfile times) {
    return new EngineSettings(
        model, scheduler, times, serving, faults, seed, dataParallelSize, endTokenShare, release);
  }

  /** What {@code /version} says. */
  public String version() {
    return release.version() + VERSION.substring(RELEASE.length());
  }

  /** Whether it shows vLLM's metrics. */
  public boolean isVllm() {
    return release.kind().equals(EngineKind.VLLM);
  }

  /** What the metrics are called. */
  MetricNames names() {
    MetricNames names = release.names();
    boolean hasTotal = Fault.all(faults, Fault.NoTotal.class).isEmpty();
    return new MetricNames(
        names.byFamily(), names.hasEngineLabel(), names.hasCreated(), hasTotal);
  }

  /** Which generated token is lost on the way to its client; 0 means none. */
  long lostTokenPosition() {
    return Fault.all(faults, Fault.DropToken.class).stream()
        .mapToLong(Fault.DropToken::position)
        .findFirst()
        .orElse(0);
  }

  private static SchedulerSettings scheduler(Flags flags) {
    return new SchedulerSettings(
        flags.count("max-num-seqs"),
        flags.count("max-num-batched-tokens"),
        flags.count("num-gpu-blocks-override"),
        flags.count("block-size"),
        flags.count("max-model-len"),
        flags.count("long-prefill-token-threshold"),
        flags.truth("enable-prefix-caching"),
        flags.number("watermark"),
        flags.policy("scheduling-policy"),
        flags.number("kv-cache-metrics-sample"),
        new Speculation(flags.count("speculative-tokens"), flags.number("acceptance")));
  }

  private static NamedRelease release(Flags flags) {
    EngineKind kind = EngineKind.named(flags.text("family"));
    boolean isVllm = kind.equals(EngineKind.VLLM);
    if (!isVllm && flags.has("vllm-version")) {
      throw new IllegalArgumentException(
          "vllm-version is for the family vllm, and the family is " + kind.name());
    }
    return new NamedRelease(
        kind,
        isVllm ? flags.text("vllm-version") : kind.release(),
        flags.text("show-hidden-metrics-for-version"),
        kind.names());
  }

  private static Serving serving(Flags flags) {
    return new Serving(
        flags.text("api-key"),
        flags.count("stream-interval"),
        flags.truth("enable-per-request-metrics"),
        flags.truth("enable-prompt-tokens-details"),
        flags.truth("enable-request-id-headers"),
        flags.count("max-num-queued-reqs"),
        flags.count("max-num-queued-tokens"),
        flags.number("http-timeout-keep-alive"),
        flags.count("reasoning-tokens"));
  }

  private static List<Fault> faults(String list) {
    List<Fault> faults = new ArrayList<>();
    for (String fault : list.split(";", -1)) {
      faults.add(Fault.parse(fault.strip()));
    }
    return faults;
  }

  /** Flag values read as what they must be. */
  private record Flags(Map<String, String> given) {
    boolean has(String flag) {
      return given.containsKey(flag);
    }

    String text(String flag) {
      String value = given.get(flag);
      return value == null ? EngineFlag.named(flag).value() : value;
    }

    long whole(String flag) {
      try {
        return Long.parseLong(text(flag));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            flag + " must be a whole number, was " + text(flag)
                + (text(flag).contains(",") ? "; several values are for tally tune" : ""),
            e);
      }
    }

    int count(String flag) {
      long value = whole(flag);
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(flag + " must be a count, was " + value);
      }
      return EngineFlag.named(flag).checked((int) value);
    }

    double number(String flag) {
      try {
        return EngineFlag.named(flag).checked(Double.parseDouble(text(flag)));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(flag + " must be a number, was " + text(flag), e);
      }
    }

    boolean truth(String flag) {
      return switch (text(flag)) {
        case "true" -> true;
        case "false" -> false;
        default ->
            throw new IllegalArgumentException(
                flag + " must be true or false, was " + text(flag));
      };
    }

    SchedulingPolicy policy(String flag) {
      return switch (text(flag)) {
        case "fcfs" -> SchedulingPolicy.FCFS;
        case "priority" -> SchedulingPolicy.PRIORITY;
        default ->
            throw new IllegalArgumentException(
                flag + " must be fcfs or priority, was " + text(flag));
      };
    }
  }
}
