package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.promql.Expression;
import tallystick.promql.PromTime;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.SeriesStore;
import tallystick.promql.Value;
import tallystick.runrecord.RunRows;

/** Cuts a run into windows: the client's counts beside the engine's signals of the same time. */
final class WindowExtraction {
  private static final long MILLI = 1_000_000;

  private WindowExtraction() {}

  /**
   * The windows of one run in the order of time. A phase without one offered rate has none: what
   * its windows differ by could not be named.
   *
   * @param request its objective judges; the threshold is the objective's own, not the edge
   * @param store the run's series, as scraped
   * @param query without grouping labels
   * @param windowMillis length of a window; none lies across two steps
   */
  static List<WindowRow> rows(
      DerivationRun run,
      AlertRequest request,
      SeriesStore store,
      SignalQuery query,
      long windowMillis) {
    RunRows rows = run.rows();
    long width = windowMillis * MILLI;
    Map<Signal, Expression> expressions = new EnumMap<>(Signal.class);
    for (Signal signal : Signal.values()) {
      query
          .of(signal, PromTime.text(windowMillis))
          .ifPresent(text -> expressions.put(signal, PromqlParser.parse(text)));
    }
    PromqlEvaluator evaluator = new PromqlEvaluator(store, PrometheusVersion.V2_42);
    List<WindowRow> windows = new ArrayList<>();
    for (ClientSteps.Step step : ClientSteps.of(rows, request.objective())) {
      if (!step.phase().hasOneRate()) {
        continue;
      }
      boolean overloaded = step.isOverloaded();
      long start = step.startNanos() + request.skipMillis() * MILLI;
      for (; start + width <= step.endNanos(); start += width) {
        long end = start + width;
        long[] counts = step.counts(start, end);
        WindowRow.Place place =
            new WindowRow.Place(
                rows.manifest().runId(),
                run.mix(),
                step.phase().name(),
                step.phase().requestsPerSecond(),
                end / 1e9);
        windows.add(
            new WindowRow(
                place, counts[0], counts[1], step.waiting(end), overloaded,
                signals(evaluator, expressions, end)));
      }
    }
    return windows;
  }

  private static Map<Signal, Double> signals(
      PromqlEvaluator evaluator, Map<Signal, Expression> expressions, long endNanos) {
    Map<Signal, Double> signals = new EnumMap<>(Signal.class);
    expressions.forEach(
        (signal, expression) ->
            single(evaluator.evaluate(expression, Math.floorDiv(endNanos, MILLI)))
                .ifPresent(value -> signals.put(signal, value)));
    return signals;
  }

  private static Optional<Double> single(Value value) {
    return value instanceof Value.Vector vector && vector.elements().size() == 1
        ? Optional.of(vector.elements().getFirst().value())
        : Optional.empty();
  }
}
