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
   * @param tokens the new tokens, at least one; several if drafted ones were right
   * @param finishReason why it ended with the last of them, or {@code null} while it goes on
   * @param preemptions preemptions since the sequence's previous output
   * @param isFirst whether this is the first output, which carries the prefill's account
   */
  record Output(
      Sequence sequence, int[] tokens, FinishReason finishReason, int preemptions,
      boolean isFirst) {}

  /**
   * The scheduler after the step.
   *
   * @param running sequences admitted
   * @param waiting sequences not admitted, preempted ones included
   * @param kvCacheUsage share of usable blocks held
   * @param prefixQueries prompt tokens looked up since the previous step, first admissions only
   * @param prefixHits of these, found
   * @param evictions sampled blocks that were taken again
   * @param drafts what became of the tokens drafted for this step
   */
  record Statistics(
      int running,
      int waiting,
      double kvCacheUsage,
      long prefixQueries,
      long prefixHits,
      List<BlockLifetimes.Eviction> evictions,
      Drafts drafts) {}

  /**
   * Speculative decoding in one step.
   *
   * @param count sequences that had drafted tokens checked
   * @param tokens tokens drafted for them
   * @param acceptedAt how many of these were right, by their place in the draft
   */
  record Drafts(int count, int tokens, int[] acceptedAt) {}
}
