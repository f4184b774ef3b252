package tallystick.simengine;

import java.util.List;

/**
 * What one step computes, in the numbers its duration depends on.
 *
 * @param prefillTokens prompt tokens computed, or computed again after a preemption
 * @param prefillPairs pairs of such a token and a token that it attends to
 * @param decodeSequences sequences that decode one token
 * @param kvTokens tokens in the cache of every sequence scheduled
 */
record StepWork(long prefillTokens, double prefillPairs, long decodeSequences, long kvTokens) {

  /** The work of the sequences that a step has scheduled. */
  static StepWork of(List<Sequence> scheduled) {
    long prefillTokens = 0;
    double prefillPairs = 0;
    long decodes = 0;
    long kvTokens = 0;
    for (Sequence sequence : scheduled) {
      int drafted = Math.max(0, sequence.computedTokens - sequence.tokens);
      boolean isDecode =
          sequence.scheduledTokens == 1 + drafted && sequence.outputTokens() > 0;
      // A drafted token is computed like one of a prompt: beside the sequence's own.
      int prefilled = isDecode ? drafted : sequence.scheduledTokens;
      decodes += isDecode ? 1 : 0;
      prefillTokens += prefilled;
      prefillPairs += prefilled * (sequence.computedTokens - prefilled / 2.0);
      kvTokens += sequence.computedTokens;
    }
    return new StepWork(prefillTokens, prefillPairs, decodes, kvTokens);
  }
}
