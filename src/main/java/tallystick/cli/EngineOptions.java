package tallystick.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import tallystick.simengine.EngineSettings;

/**
 * Flags of the simulated engine, named as vLLM names them, for every command that may start one;
 * commands with flags of their own use the {@code --engine-} form.
 */
final class EngineOptions {
  private final Map<String, String> flags = new LinkedHashMap<>();

  /** The engine the flags describe, where they are silent as {@code otherwise} says. */
  EngineSettings settings(Map<String, String> otherwise) {
    return EngineFlags.settings(flags(otherwise));
  }

  /** The flags, where they are silent as {@code otherwise} says. */
  Map<String, String> flags(Map<String, String> otherwise) {
    Map<String, String> all = new LinkedHashMap<>(otherwise);
    all.putAll(flags);
    return all;
  }

  @Option(
      names = {"--served-model-name", "--engine-served-model-name"},
      paramLabel = "NAME",
      description = "Model name it answers to (tiny).")
  void setModel(String value) {
    flags.put("served-model-name", value);
  }

  @Option(
      names = {"--max-num-seqs", "--engine-max-num-seqs"},
      paramLabel = "N",
      description = "Requests running at once (64).")
  void setMaxNumSeqs(String value) {
    flags.put("max-num-seqs", value);
  }

  @Option(
      names = {"--max-num-batched-tokens", "--engine-max-num-batched-tokens"},
      paramLabel = "N",
      description = "Tokens computed in one step (2048).")
  void setMaxNumBatchedTokens(String value) {
    flags.put("max-num-batched-tokens", value);
  }

  @Option(
      names = {"--num-gpu-blocks-override", "--engine-num-gpu-blocks-override"},
      paramLabel = "N",
      description = "KV blocks, the null block included (2048).")
  void setNumGpuBlocks(String value) {
    flags.put("num-gpu-blocks-override", value);
  }

  @Option(
      names = {"--block-size", "--engine-block-size"},
      paramLabel = "N",
      description = "Tokens in a KV block (16).")
  void setBlockSize(String value) {
    flags.put("block-size", value);
  }

  @Option(
      names = {"--max-model-len", "--engine-max-model-len"},
      paramLabel = "N",
      description = "Longest prompt plus output (4096).")
  void setMaxModelLen(String value) {
    flags.put("max-model-len", value);
  }

  @Option(
      names = {"--long-prefill-token-threshold", "--engine-long-prefill-token-threshold"},
      paramLabel = "N",
      description = "Most prefill tokens of one request in a step; 0 means no limit (0).")
  void setLongPrefillTokenThreshold(String value) {
    flags.put("long-prefill-token-threshold", value);
  }

  @Option(
      names = {"--enable-prefix-caching", "--engine-enable-prefix-caching"},
      negatable = true,
      description = "Whether full blocks are kept for later requests (on).")
  void setPrefixCaching(boolean value) {
    flags.put("enable-prefix-caching", Boolean.toString(value));
  }

  @Option(
      names = {"--watermark", "--engine-watermark"},
      paramLabel = "SHARE",
      description = "Share of blocks an admission leaves free (0).")
  void setWatermark(String value) {
    flags.put("watermark", value);
  }

  @Option(
      names = {"--scheduling-policy", "--engine-scheduling-policy"},
      paramLabel = "POLICY",
      description = "fcfs or priority (fcfs).")
  void setPolicy(String value) {
    flags.put("scheduling-policy", value);
  }

  @Option(
      names = {"--kv-cache-metrics-sample", "--engine-kv-cache-metrics-sample"},
      paramLabel = "SHARE",
      description = "Share of KV blocks whose lifetime is observed (0.01).")
  void setKvCacheMetricsSample(String value) {
    flags.put("kv-cache-metrics-sample", value);
  }

  @Option(
      names = {"--profile", "--engine-profile"},
      paramLabel = "NAME",
      description = {
        "How long steps take: llama-3.1-8b-h100, tiny-cpu, invented-mid-gpu or zero",
        "(llama-3.1-8b-h100)."
      })
  void setProfile(String value) {
    flags.put("profile", value);
  }

  @Option(
      names = {"--stream-interval", "--engine-stream-interval"},
      paramLabel = "N",
      description = "Tokens between two chunks after the first (1).")
  void setStreamInterval(String value) {
    flags.put("stream-interval", value);
  }

  @Option(
      names = {"--max-num-queued-reqs", "--engine-max-num-queued-reqs"},
      paramLabel = "N",
      description = "Requests, waiting or running, above which 503 is answered; 0: no limit.")
  void setMaxNumQueuedReqs(String value) {
    flags.put("max-num-queued-reqs", value);
  }

  @Option(
      names = {"--max-num-queued-tokens", "--engine-max-num-queued-tokens"},
      paramLabel = "N",
      description = "Prompt tokens waiting for a first token that bring a 503; 0: no limit.")
  void setMaxNumQueuedTokens(String value) {
    flags.put("max-num-queued-tokens", value);
  }

  @Option(
      names = {"--http-timeout-keep-alive", "--engine-http-timeout-keep-alive"},
      paramLabel = "SECONDS",
      description = "Idle time after which a connection is closed (5).")
  void setKeepAlive(String value) {
    flags.put("http-timeout-keep-alive", value);
  }

  @Option(
      names = {"--end-token-share", "--engine-end-token-share"},
      paramLabel = "SHARE",
      description = "Chance of each token to end the text unless ignore_eos is set (1/2048).")
  void setEndTokenShare(String value) {
    flags.put("end-token-share", value);
  }

  @Option(
      names = {"--api-key", "--engine-api-key"},
      paramLabel = "KEY",
      description = "Key that /v1 asks for (none).")
  void setApiKey(String value) {
    flags.put("api-key", value);
  }

  @Option(
      names = {"--enable-per-request-metrics", "--engine-enable-per-request-metrics"},
      description = "Put the engine's timings into the usage chunk.")
  void setPerRequestMetrics(boolean value) {
    flags.put("enable-per-request-metrics", Boolean.toString(value));
  }

  @Option(
      names = {"--enable-prompt-tokens-details", "--engine-enable-prompt-tokens-details"},
      description = "Tell cached prompt tokens in usage.")
  void setPromptTokensDetails(boolean value) {
    flags.put("enable-prompt-tokens-details", Boolean.toString(value));
  }

  @Option(
      names = {"--enable-request-id-headers", "--engine-enable-request-id-headers"},
      description = "Answer with an x-request-id header.")
  void setRequestIdHeaders(boolean value) {
    flags.put("enable-request-id-headers", Boolean.toString(value));
  }

  @Option(
      names = {"--data-parallel-size", "--engine-data-parallel-size"},
      paramLabel = "N",
      description = "Engines behind the server, each with a cache of its own (1).")
  void setDataParallelSize(String value) {
    flags.put("data-parallel-size", value);
  }

  @Option(
      names = {"--speculative-tokens", "--engine-speculative-tokens"},
      paramLabel = "K",
      description = "Tokens drafted for each sequence and step; 0: no speculation (0).")
  void setSpeculativeTokens(String value) {
    flags.put("speculative-tokens", value);
  }

  @Option(
      names = {"--acceptance", "--engine-acceptance"},
      paramLabel = "SHARE",
      description = "Chance that a drafted token is right if those before it were (0.7).")
  void setAcceptance(String value) {
    flags.put("acceptance", value);
  }

  @Option(
      names = {"--vllm-version", "--engine-vllm-version"},
      paramLabel = "0.N",
      description = "Release whose metric names are exposed, from 0.7 (0.32.0).")
  void setVllmVersion(String value) {
    flags.put("vllm-version", value);
  }

  @Option(
      names = {
        "--show-hidden-metrics-for-version", "--engine-show-hidden-metrics-for-version"
      },
      paramLabel = "0.N",
      description = "Show what is hidden since that release; the one before --vllm-version.")
  void setShowHidden(String value) {
    flags.put("show-hidden-metrics-for-version", value);
  }

  @Option(
      names = "--engine-seed",
      paramLabel = "N",
      description = "Seed of the engine's tokens and noise (0).")
  void setSeed(String value) {
    flags.put("seed", value);
  }

  @Option(
      names = {"--fault", "--engine-fault"},
      paramLabel = "FAULT",
      description = {
        "stall:at=10s,for=2s,engine=0, cut:after=5, http503:p=0.01, drop-token:at=100,",
        "late-families, no-total, frozen-metrics:after=1s,for=2s, metrics-hole:after=1s,for=2s",
        "or slow:prefill=1,decode=3,share=1,engine=0; may be given more than once."
      })
  void setFaults(List<String> value) {
    flags.put("fault", String.join(";", value));
  }
}
