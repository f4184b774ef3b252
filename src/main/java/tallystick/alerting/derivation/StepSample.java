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

/**
 * How long an engine's steps took at one evaluation, and what they had to do.
 *
 * @param run the run
 * @param mix its traffic mix
 * @param engine which of its engines
 * @param atMillis after the run's origin
 * @param stepSeconds mean time of a step; NaN without steps
 * @param running mean of running requests
 * @param tokensPerStep mean tokens of a step, those of prompts included
 * @param again share of the KV cache that a step computes again, after preemptions
 */
record StepSample(
    String run,
    String mix,
    String engine,
    long atMillis,
    double stepSeconds,
    double running,
    double tokensPerStep,
    double again) {

  /** Every evaluation of a run whose range lies in it, engine by engine, in the order of time. */
  static List<StepSample> of(
      DerivationRun run, SeriesStore store, PerEngine query, long intervalMillis) {
    long end = run.rows().settings().phases().stream()
        .mapToLong(phase -> phase.endNanos() / 1_000_000).max().orElse(0);
    Reading steps = new Reading(store, query.stepTime());
    Reading running = new Reading(store, query.running());
    Reading tokens = new Reading(store, query.tokensPerStep());
    Reading again = new Reading(store, query.computedAgain());
    List<StepSample> samples = new ArrayList<>();
    for (long at = PerEngine.RANGE_MILLIS; at <= end; at += intervalMillis) {
      Map<Labels, Double> times = steps.at(at);
      Map<Labels, Double> loads = tokens.at(at);
      Map<Labels, Double> repeats = again.at(at);
      for (Map.Entry<Labels, Double> each : running.at(at).entrySet()) {
        Labels engine = each.getKey();
        samples.add(
            new StepSample(
                run.rows().manifest().runId(), run.mix(), engine.toString(), at,
                times.getOrDefault(engine, Double.NaN), each.getValue(),
                loads.getOrDefault(engine, Double.NaN),
                repeats.getOrDefault(engine, 0.0)));
      }
    }
    return samples;
  }

  boolean isComplete() {
    return Double.isFinite(stepSeconds) && stepSeconds > 0 && Double.isFinite(tokensPerStep)
        && Double.isFinite(again);
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
