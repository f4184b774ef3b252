package tallystick.alerting.derivation;

import java.util.Locale;
import java.util.Set;
import tallystick.scenario.Objective;

/** What an alert may watch: a figure of the engine over a window. All are worse when higher. */
public enum Signal {
  BAD_RATIO(Scale.FREE, true, "share of requests above the objective's edge", "share of requests"),
  TTFT_P95(Scale.EDGES, true, "P95 time to first token", "seconds"),
  TTFT_P99(Scale.EDGES, true, "P99 time to first token", "seconds"),
  ITL_P95(Scale.EDGES, true, "P95 inter-token latency", "seconds"),
  ITL_P99(Scale.EDGES, true, "P99 inter-token latency", "seconds"),
  TPOT_P95(Scale.EDGES, true, "P95 time per output token", "seconds"),
  QUEUE_P95(Scale.EDGES, true, "P95 queue time of finished requests", "seconds"),
  QUEUE_P99(Scale.EDGES, true, "P99 queue time of finished requests", "seconds"),
  WAITING_MEAN(Scale.FREE, false, "mean of waiting requests", "requests"),
  WAITING_MAX(Scale.FREE, false, "maximum of waiting requests", "requests"),
  RUNNING_MEAN(Scale.FREE, false, "mean of running requests", "requests"),
  WAITING_PER_RUNNING(Scale.FREE, false, "waiting per running request", "waiting per running"),
  KV_MEAN(Scale.FREE, false, "mean KV-cache usage", "share of the cache"),
  KV_MAX(Scale.FREE, false, "maximum KV-cache usage", "share of the cache"),
  PREEMPTIONS_PER_FINISHED(Scale.FREE, false, "preemptions per finished request", "per request"),
  PROMPT_TOKENS_RATE(Scale.FREE, false, "prompt tokens per second", "tokens/s"),
  GENERATION_TOKENS_RATE(Scale.FREE, false, "generated tokens per second", "tokens/s");

  /** What a request waits for before its first token. */
  public static final Set<Signal> OF_FIRST_TOKEN =
      Set.of(TTFT_P95, TTFT_P99, QUEUE_P95, QUEUE_P99);

  /** Percentiles of the latency that an objective is about. */
  static Set<Signal> of(Objective.Metric metric) {
    return switch (metric) {
      case TTFT -> Set.of(TTFT_P95, TTFT_P99);
      case TPOT -> Set.of(TPOT_P95);
      case ITL -> Set.of(ITL_P95, ITL_P99);
      case ANSWER_TTFT, THINKING_TOKENS, E2E, SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS, LARGEST_GAP,
          ALL -> Set.of();
    };
  }

  /** Where a threshold may lie. */
  public enum Scale {
    /** Only on the histogram's bucket edges: between two of them lies interpolation. */
    EDGES,
    /** Anywhere. */
    FREE
  }

  private final Scale scale;
  private final boolean symptom;
  private final String meaning;
  private final String unit;

  Signal(Scale scale, boolean symptom, String meaning, String unit) {
    this.scale = scale;
    this.symptom = symptom;
    this.meaning = meaning;
    this.unit = unit;
  }

  /** Where its threshold may lie. */
  public Scale scale() {
    return scale;
  }

  /** Whether users feel it; the others say how full the engine is. */
  public boolean isSymptom() {
    return symptom;
  }

  /** What it is, in words. */
  public String meaning() {
    return meaning;
  }

  /** What its values count, in words. */
  public String unit() {
    return unit;
  }

  /** The stable word, for example {@code ttft_p95}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
