package tallystick.simengine;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What an engine tells of itself, whatever it calls it: the words of the {@code .families.tsv}
 * files, with {@code -} for {@code _}.
 */
enum EngineEvent {
  /** Constant 1. */
  ALWAYS,
  // After each step.
  RUNNING,
  WAITING,
  KV_USAGE,
  PREFIX_QUERIES,
  PREFIX_HITS,
  /** Share of the step's prompts that the prefix cache held. */
  PREFIX_HIT_RATE,
  PREEMPTIONS,
  DRAFTS,
  DRAFT_TOKENS,
  ACCEPTED_TOKENS,
  /** By place in the draft. */
  ACCEPTED_AT,
  BLOCK_LIFETIME,
  BLOCK_IDLE,
  BLOCK_REUSE_GAP,
  /** New tokens. */
  STEP_TOKENS,
  /** New tokens, and prompt tokens that were computed. */
  STEP_ALL_TOKENS,
  // A request's first output, with which its prompt is told.
  PREFILLED_PROMPT,
  PREFILLED_COMPUTED,
  PREFILLED_CACHED,
  QUEUED,
  FIRST_TOKEN,
  // Each later output.
  /** One observation, however many tokens it brings. */
  GAP,
  /** As many observations as tokens, each with its share of the gap. */
  GAP_OF_EACH_TOKEN,
  // A request's end, or that of one of its choices.
  /** By reason. */
  FINISHED,
  FINISHED_PROMPT,
  FINISHED_CACHED,
  FINISHED_COMPUTED,
  FINISHED_OUTPUT,
  FINISHED_MAX_TOKENS,
  FINISHED_PREEMPTIONS,
  FINISHED_PER_TOKEN,
  FINISHED_WHOLE,
  FINISHED_QUEUE,
  FINISHED_PREFILL,
  FINISHED_DECODE,
  FINISHED_INFERENCE,
  /** Left by the client or ended by the engine; who tells it tells nothing else of its end. */
  ABORTED,
  // All choices of a request.
  CHOICES,
  MOST_OUTPUT,
  /** By the limit that was reached. */
  REJECTED;

  /** Those of speculative decoding. */
  static final Set<EngineEvent> DRAFTING = EnumSet.range(DRAFTS, ACCEPTED_AT);

  static EngineEvent named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
