package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.Optional;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/**
 * PromQL that keeps each engine of each server apart.
 *
 * @param query names of the metrics, and the matchers that every selector has
 */
public record PerEngine(SignalQuery query) {
  /** How far back the figures of a step look. */
  public static final String RANGE = "2m";

  /** {@link #RANGE}. */
  static final long RANGE_MILLIS = 120_000;

  /** The first of some concepts that the engine does not expose. */
  public Optional<MetricConcept> missing(MetricConcept... needed) {
    return Arrays.stream(needed).filter(each -> query.names().family(each).isEmpty()).findFirst();
  }

  /** The labels that name an engine, as a list for {@code by} and {@code on}. */
  public String labels() {
    EngineFamily.Labels labels = vocabulary();
    return String.join(", ", labels.model(), "instance", labels.engine());
  }

  /** The label that names the model. */
  public String modelLabel() {
    return vocabulary().model();
  }

  private EngineFamily.Labels vocabulary() {
    return query
        .names()
        .family(MetricConcept.RUNNING)
        .flatMap(MetricVocabulary.standard()::familyOf)
        .orElseGet(() -> MetricVocabulary.standard().families().getFirst())
        .labels();
  }

  /** A sum for each engine, for example of {@code increase(x[2m])}. */
  public String sum(String function, MetricConcept concept, String suffix) {
    String metric = query.scoped(query.names().family(concept).orElseThrow() + suffix);
    return "sum by (%s) (%s(%s[%s]))".formatted(labels(), function, metric, RANGE);
  }

  /**
   * Mean time of a step, in seconds: from a token to the next, or one by the rate of steps,
   * whichever is less. A preempted request's wait is in the one, an engine's rest in the other.
   */
  public String stepTime() {
    String byRate = "1 / " + sum("rate", MetricConcept.ITERATION_TOKENS, "_count");
    return mean(MetricConcept.ITL) + " < " + byRate + " or " + byRate;
  }

  /** Tokens that a step computes on average, those of prompts included. */
  public String tokensPerStep() {
    return mean(MetricConcept.ITERATION_TOKENS);
  }

  /** Requests that run on average. */
  public String running() {
    return sum("avg_over_time", MetricConcept.RUNNING, "");
  }

  /** Share of the KV cache that a step computes again: the preempted requests' part of it. */
  public String computedAgain() {
    return sum("rate", MetricConcept.PREEMPTIONS, "")
        + " / "
        + sum("rate", MetricConcept.ITERATION_TOKENS, "_count")
        + " * "
        + sum("avg_over_time", MetricConcept.KV_CACHE_USAGE, "")
        + " / "
        + running();
  }

  private String mean(MetricConcept histogram) {
    return sum("rate", histogram, "_sum") + " / " + sum("rate", histogram, "_count");
  }
}
