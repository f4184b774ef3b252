package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tallystick.runrecord.MetricConcept;

/** Offered, admitted and completed load, and the workload's shape. */
final class LoadSummary {
  private LoadSummary() {}

  static LoadAccount of(RequestCounts counts, EngineTotals totals) {
    double seconds = counts.windowSeconds();
    double arrivals = counts.arrivalSeconds();
    return new LoadAccount(
        arrivals > 0
            ? Figure.of((counts.ended() - 1) / arrivals)
            : Figure.missing("fewer than two requests"),
        rate(
            totals.histogram(MetricConcept.TTFT).isPresent()
                ? OptionalDouble.of(totals.histogram(MetricConcept.TTFT).get().count())
                : OptionalDouble.empty(),
            seconds),
        rate(totals.counter(MetricConcept.REQUEST_SUCCESS), seconds),
        counts.byStatus(),
        totals.counterBy(MetricConcept.REQUEST_SUCCESS, "finished_reason"),
        rate(OptionalDouble.empty(), seconds),
        rate(totals.counter(MetricConcept.GENERATION_TOKENS), seconds),
        rate(totals.counter(MetricConcept.PROMPT_TOKENS), seconds),
        ratio(totals, MetricConcept.PREFIX_HITS, MetricConcept.PREFIX_QUERIES),
        ratio(totals, MetricConcept.PREEMPTIONS, MetricConcept.REQUEST_SUCCESS),
        ratio(totals, MetricConcept.SPEC_ACCEPTED_TOKENS, MetricConcept.SPEC_DRAFT_TOKENS),
        totals
            .histogram(MetricConcept.ITERATION_TOKENS)
            .map(EngineTotals.HistogramGrowth::mean)
            .orElse(Figure.missing("the engine does not expose it")),
        Map.of(),
        new ArrayList<>(List.<LoadAccount.ShapeRow>of()));
  }

  private static Figure rate(OptionalDouble growth, double seconds) {
    if (growth.isEmpty()) {
      return Figure.missing("the engine does not expose it");
    }
    return seconds > 0
        ? Figure.of(growth.getAsDouble() / seconds)
        : Figure.missing("no request");
  }

  /** A ratio without a floor under its denominator: with nothing below the line it is missing. */
  private static Figure ratio(EngineTotals totals, MetricConcept above, MetricConcept below) {
    OptionalDouble over = totals.counter(above);
    OptionalDouble under = totals.counter(below);
    if (over.isEmpty() || under.isEmpty()) {
      return Figure.missing("the engine does not expose it");
    }
    return under.getAsDouble() > 0
        ? Figure.of(over.getAsDouble() / under.getAsDouble())
        : Figure.missing("no observations");
  }
}
