package tallystick.analysis.result;

/** What was asked of the engine, or how it fared: whatever may be why a wait changed. */
public enum Circumstance implements Choice {
  OFFERED_RATE(Unit.PER_SECOND, "requests sent"),
  BURSTINESS(Unit.RATIO, "burstiness of arrivals (1 = independent)"),
  PROMPT_TOKENS(Unit.TOKENS, "mean prompt length"),
  ANSWER_TOKENS(Unit.TOKENS, "mean answer length"),
  PREFIX_HIT_RATIO(Unit.RATIO, "prompt tokens from the prefix cache"),
  PREEMPTIONS_PER_REQUEST(Unit.RATIO, "preemptions per request"),
  REQUESTS_RUNNING(Unit.COUNT, "requests running"),
  REQUESTS_WAITING(Unit.COUNT, "requests waiting"),
  KV_USAGE_PEAK(Unit.RATIO, "fullest KV cache"),
  FINISHED_RATE(Unit.PER_SECOND, "requests finished"),
  OUTPUT_TOKENS_RATE(Unit.PER_SECOND, "output tokens"),
  CLIENT_STOOD_STILL(Unit.SECONDS, "client stood still for"),
  ENGINE_STOOD_STILL(Unit.SECONDS, "engine stood still for"),
  DECODE_STEP_COST(Unit.RATIO, "time of a step without prompts, at equal requests"),
  PROMPT_TOKEN_COST(Unit.RATIO, "time for a prompt token"),
  MOST_RUNNING(Unit.COUNT, "most requests running at once"),
  ENGINES(Unit.COUNT, "engines"),
  FOREIGN_REQUESTS(Unit.PER_SECOND, "requests finished that this run did not send"),
  TOKENS_PER_STEP(Unit.TOKENS, "tokens a request gets from a step");

  /** Unit of both sides. */
  public enum Unit implements Choice {
    PER_SECOND,
    TOKENS,
    RATIO,
    COUNT,
    SECONDS
  }

  private final Unit unit;
  private final String words;

  Circumstance(Unit unit, String words) {
    this.unit = unit;
    this.words = words;
  }

  /** Unit of both sides. */
  public Unit unit() {
    return unit;
  }

  @Override
  public String words() {
    return words;
  }
}
