package tallystick.simengine;

import java.util.List;

/**
 * What one engine step gave: the message from engine core to API server.
 *
 * @param endNanos when the step's output was built, after the model ran
 * @param outputs one entry for each sequence that got a token
 * @param statistics the scheduler's state after the step
 */
record StepOutput(long endNanos, List<Output> outputs, Statistics statistics) {

  /**
   * One sequence's part.
   *
   * @param sequence whose
   * @param token the new token
   * @param finishReason why it ended with this token, or {@code null} while it goes on
   * @param preemptions preemptions since the sequence's previous output
   * @param isFirst whether this is the first output, which carries the prefill's account
   */
  record Output(
      Sequence sequence, int token, FinishReason finishReason, int preemptions, boolean isFirst) {}

  /**
   * The scheduler after the step.
   *
   * @param running sequences admitted
   * @param waiting sequences not admitted, preempted ones included
   * @param kvCacheUsage share of usable blocks held
   * @param prefixQueries prompt tokens looked up since the previous step, first admissions only
   * @param prefixHits of these, found
   * @param evictions sampled blocks that were taken again
   */
  record Statistics(
      int running,
      int waiting,
      double kvCacheUsage,
      long prefixQueries,
      long prefixHits,
      List<BlockLifetimes.Eviction> evictions) {}
}
