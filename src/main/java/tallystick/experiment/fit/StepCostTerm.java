package tallystick.experiment.fit;

/** A cost of the simulated engine that measured runs can tell. */
public enum StepCostTerm {
  /** Every step. */
  STEP("step", "base_us", "vary concurrency"),
  /** Every prompt token computed. */
  PREFILL_TOKEN("prompt token", "prefill_token_us", "vary prompt length"),
  /** Every pair of a prompt token computed and a token it attends to. */
  PREFILL_PAIR("prompt token pair", "prefill_pair_us", "send prompts of thousands of tokens"),
  /** Every sequence that decodes a token. */
  DECODE_SEQUENCE("decoding stream", "decode_sequence_us", "vary concurrency"),
  /** Every token of context of a scheduled sequence. */
  KV_TOKEN("token of context", "kv_token_us", "vary context length"),
  /** Every request, in the API server and on its way there and back. */
  REQUEST("request", "request_us", "add a run at a low rate"),
  /** Every request that meets an idle engine, on top. */
  WAKE("waking an idle engine", "wake_us", "add a run at a low rate"),
  /** Every output on its way back through the API server. */
  OUTPUT("sending an output", "output_us", "run 20 streams at once");

  /** Whether an engine step pays it. */
  boolean isOfStep() {
    return ordinal() < REQUEST.ordinal();
  }

  /** Whether the engine pays it, and not the API server in front of it. */
  boolean isOfEngine() {
    return this != REQUEST && this != OUTPUT;
  }

  private final String words;
  private final String key;
  private final String remedy;

  StepCostTerm(String words, String key, String remedy) {
    this.words = words;
    this.key = key;
    this.remedy = remedy;
  }

  /** What it is paid for. */
  public String words() {
    return words;
  }

  /** Its key in a profile file; a request's is shared out over two. */
  public String key() {
    return key;
  }

  /** What to vary so that runs tell it. */
  public String remedy() {
    return remedy;
  }
}
