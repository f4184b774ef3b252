package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.SeriesStore;
import tallystick.promql.Value;
import tallystick.runrecord.MetricConcept;

/**
 * How one engine decoded at one evaluation, and how full its steps were.
 *
 * @param run the run
 * @param mix its traffic mix
 * @param engine which of its engines
 * @param atMillis after the run's origin
 * @param itlSeconds mean time from a token to the next; NaN without tokens
 * @param running mean of running requests
 * @param tokensPerStep mean tokens of a step, those of prompts included
 * @param isPreempted whether a request was preempted within the range
 */
record StepSample(
    String run,
    String mix,
    String engine,
    long atMillis,
    double itlSeconds,
    double running,
    double tokensPerStep,
    boolean isPreempted) {

  /** Every evaluation of a run whose range lies in it, engine by engine, in the order of time. */
  static List<StepSample> of(
      DerivationRun run, SeriesStore store, PerEngine query, long intervalMillis) {
    long end = run.rows().settings().phases().stream()
        .mapToLong(phase -> phase.endNanos() / 1_000_000).max().orElse(0);
    boolean tells = query.missing(MetricConcept.PREEMPTIONS).isEmpty();
    Reading itl = new Reading(store, query.interTokenLatency());
    Reading running = new Reading(store, query.running());
    Reading tokens = new Reading(store, query.tokensPerStep());
    Reading preemptions =
        new Reading(
            store, tells ? query.sum("increase", MetricConcept.PREEMPTIONS, "") : "vector(0)");
    List<StepSample> samples = new ArrayList<>();
    for (long at = PerEngine.RANGE_MILLIS; at <= end; at += intervalMillis) {
      Map<Labels, Double> latencies = itl.at(at);
      Map<Labels, Double> loads = tokens.at(at);
      Map<Labels, Double> recomputed = preemptions.at(at);
      for (Map.Entry<Labels, Double> each : running.at(at).entrySet()) {
        Labels engine = each.getKey();
        samples.add(
            new StepSample(
                run.rows().manifest().runId(), run.mix(), engine.toString(), at,
                latencies.getOrDefault(engine, Double.NaN), each.getValue(),
                loads.getOrDefault(engine, Double.NaN),
                recomputed.getOrDefault(engine, 0.0) > 0));
      }
    }
    return samples;
  }

  boolean isComplete() {
    return Double.isFinite(itlSeconds) && itlSeconds > 0 && Double.isFinite(tokensPerStep);
  }

  private record Reading(PromqlEvaluator evaluator, tallystick.promql.Expression expression) {
    Reading(SeriesStore store, String text) {
      this(new PromqlEvaluator(store, PrometheusVersion.V2_42), PromqlParser.parse(text));
    }

    Map<Labels, Double> at(long millis) {
      Map<Labels, Double> values = new HashMap<>();
      for (Value.Element element : evaluator.vector(expression, millis).elements()) {
        values.put(element.labels(), element.value());
      }
      return values;
    }
  }
}
