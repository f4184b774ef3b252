package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.analysis.result.Choice;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Objective;

/** What an alert may watch: a figure of the engine over a window. All are worse when higher. */
public enum Signal implements Choice {
  BAD_RATIO(
      true, "share of requests above the objective's edge", "share of requests",
      "1 - (sum<by>(rate(<LATENCY>_bucket{<good>}[<range>]))"
          + " / sum<by>(rate(<LATENCY>_count[<range>])))"),
  TTFT_P95(MetricConcept.TTFT, 95, "time to first token"),
  TTFT_P99(MetricConcept.TTFT, 99, "time to first token"),
  ITL_P95(MetricConcept.ITL, 95, "inter-token latency"),
  ITL_P99(MetricConcept.ITL, 99, "inter-token latency"),
  TPOT_P95(MetricConcept.TPOT, 95, "time per output token"),
  QUEUE_P95(MetricConcept.QUEUE_TIME, 95, "queue time of finished requests"),
  QUEUE_P99(MetricConcept.QUEUE_TIME, 99, "queue time of finished requests"),
  WAITING_MEAN(
      false, "mean of waiting requests", "requests",
      "sum<by>(avg_over_time(<WAITING>[<range>]))"),
  WAITING_MAX(
      false, "maximum of waiting requests", "requests",
      "sum<by>(max_over_time(<WAITING>[<range>]))"),
  RUNNING_MEAN(
      false, "mean of running requests", "requests",
      "sum<by>(avg_over_time(<RUNNING>[<range>]))"),
  WAITING_PER_RUNNING(
      false, "waiting per running request", "waiting per running",
      WAITING_MEAN.form + " / (" + RUNNING_MEAN.form + " > 0)"),
  KV_MEAN(
      false, "mean KV-cache usage", "share of the cache",
      "max<by>(avg_over_time(<KV_CACHE_USAGE>[<range>]))"),
  KV_MAX(
      false, "maximum KV-cache usage", "share of the cache",
      "max<by>(max_over_time(<KV_CACHE_USAGE>[<range>]))"),
  PREEMPTIONS_PER_FINISHED(
      false, "preemptions per finished request", "per request",
      "sum<by>(increase(<PREEMPTIONS>[<range>]))"
          + " / (sum<by>(increase(<REQUEST_SUCCESS>[<range>])) > 0)"),
  PROMPT_TOKENS_RATE(
      false, "prompt tokens per second", "tokens/s",
      "sum<by>(rate(<PROMPT_TOKENS>[<range>]))"),
  GENERATION_TOKENS_RATE(
      false, "generated tokens per second", "tokens/s",
      "sum<by>(rate(<GENERATION_TOKENS>[<range>]))");

  /** What a request waits for before its first token. */
  public static final Set<Signal> OF_FIRST_TOKEN =
      Set.of(TTFT_P95, TTFT_P99, QUEUE_P95, QUEUE_P99);

  /** The engine's histogram that answers to an objective; empty where no engine has one. */
  public static Optional<MetricConcept> histogram(Objective.Metric metric) {
    return switch (metric) {
      case TTFT -> Optional.of(MetricConcept.TTFT);
      case TPOT -> Optional.of(MetricConcept.TPOT);
      case E2E -> Optional.of(MetricConcept.E2E);
      case ITL -> Optional.of(MetricConcept.ITL);
      case ANSWER_TTFT, THINKING_TOKENS, SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS, LARGEST_GAP,
          ALL -> Optional.empty();
    };
  }

  /** Percentiles of the latency that an objective is about. */
  public static Set<Signal> of(Objective.Metric metric) {
    return Arrays.stream(values())
        .filter(one -> one.histogram.isPresent() && one.histogram.equals(histogram(metric)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private final Optional<MetricConcept> histogram;
  private final boolean symptom;
  private final String meaning;
  private final String unit;
  private final String form;

  Signal(MetricConcept histogram, int percent, String of) {
    this(
        Optional.of(histogram), true, "P" + percent + " " + of, "seconds",
        "histogram_quantile(0." + percent + ", sum by (le<and>) (rate(<" + histogram
            + ">_bucket[<range>])))");
  }

  Signal(boolean symptom, String meaning, String unit, String form) {
    this(Optional.empty(), symptom, meaning, unit, form);
  }

  Signal(
      Optional<MetricConcept> histogram, boolean symptom, String meaning, String unit,
      String form) {
    this.histogram = histogram;
    this.symptom = symptom;
    this.meaning = meaning;
    this.unit = unit;
    this.form = form;
  }

  /**
   * What it is a percentile of: a threshold lies on its bucket edges, as between two of them lies
   * interpolation. Empty where a threshold may lie anywhere.
   */
  public Optional<MetricConcept> histogram() {
    return histogram;
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

  /** Its PromQL, to be filled in. */
  String form() {
    return form;
  }
}
