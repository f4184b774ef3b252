package tallystick.simengine;

import java.util.Locale;

/**
 * What vLLM's scheduler and KV cache are configured with, under vLLM's flag names.
 *
 * @param maxNumSeqs requests running at once ({@code --max-num-seqs})
 * @param maxNumBatchedTokens tokens computed in one step ({@code --max-num-batched-tokens})
 * @param numGpuBlocks KV blocks in all; block 0 is the null block and holds nothing
 * @param blockSize tokens in a KV block
 * @param maxModelLen longest prompt plus output
 * @param longPrefillTokenThreshold most prefill tokens one request gets in a step; 0 means no limit
 * @param enablePrefixCaching whether full blocks are kept for later requests
 * @param watermark share of the blocks that an admission leaves free while something runs
 * @param policy order of admission and preemption
 * @param kvCacheMetricsSample share of blocks whose lifetime is observed
 * @param speculation how tokens are drafted
 */
public record SchedulerSettings(
    int maxNumSeqs,
    int maxNumBatchedTokens,
    int numGpuBlocks,
    int blockSize,
    int maxModelLen,
    int longPrefillTokenThreshold,
    boolean enablePrefixCaching,
    double watermark,
    SchedulingPolicy policy,
    double kvCacheMetricsSample,
    Speculation speculation) {

  public SchedulerSettings {
    long usableTokens = (numGpuBlocks - 1L) * blockSize;
    if (usableTokens < maxModelLen) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "num-gpu-blocks-override must hold max-model-len %d tokens: (%d - 1) x %d is %d",
              maxModelLen, numGpuBlocks, blockSize, usableTokens));
    }
  }

  /** Blocks an admission must leave free while something runs. */
  int watermarkBlocks() {
    return (int) (watermark * numGpuBlocks);
  }
}
