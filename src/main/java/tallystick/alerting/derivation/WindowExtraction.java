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
import tallystick.scenario.Objective;

/** Cuts a run into windows: the client's counts beside the engine's signals of the same time. */
public final class WindowExtraction {
  private static final long MILLI = 1_000_000;

  private WindowExtraction() {}

  /**
   * How to cut.
   *
   * @param windowMillis length of a window; none lies across two steps
   * @param skipMillis beginning of each step that is left out
   * @param mix name of the run's traffic mix
   */
  public record Cut(long windowMillis, long skipMillis, String mix) {}

  /**
   * The windows of one run in the order of time. A phase without one offered rate has none: what
   * its windows differ by could not be named.
   *
   * @param objective what the client judges by; its threshold is the objective's own, not the edge
   * @param store the run's series, as scraped
   * @param query without grouping labels
   */
  public static List<WindowRow> rows(
      RunRows rows, Objective objective, SeriesStore store, SignalQuery query, Cut cut) {
    Map<Signal, Expression> expressions = new EnumMap<>(Signal.class);
    for (Signal signal : Signal.values()) {
      query
          .of(signal, PromTime.text(cut.windowMillis()))
          .ifPresent(text -> expressions.put(signal, PromqlParser.parse(text)));
    }
    PromqlEvaluator evaluator = new PromqlEvaluator(store, PrometheusVersion.V2_42);
    List<WindowRow> windows = new ArrayList<>();
    for (ClientSteps.Step step : ClientSteps.of(rows, objective)) {
      if (!step.phase().hasOneRate()) {
        continue;
      }
      boolean overloaded = step.isOverloaded();
      long width = cut.windowMillis() * MILLI;
      long start = step.startNanos() + cut.skipMillis() * MILLI;
      for (; start + width <= step.endNanos(); start += width) {
        long end = start + width;
        long[] counts = step.counts(start, end);
        WindowRow.Place place =
            new WindowRow.Place(
                rows.manifest().runId(),
                cut.mix(),
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
