package tallystick.alerting.derivation;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.ThresholdFit.Weights;
import tallystick.runrecord.MetricConcept;

/** What one signal lacks before a threshold can be looked for. */
record SignalChecks(WindowTable table, Signal signal, LabelledValues values) {
  private static final double LEAST_PRESENT = 0.8; // docs/alerts.md, Refusals
  private static final int LEAST_EDGES = 2; // of one there is nothing to choose
  /** No edge tells better than this share of the violated windows lies above the first one. */
  private static final double LEAST_ABOVE_FIRST_EDGE = 0.6;

  /** Empty, or the one thing that comes before all others. */
  List<UnmetRequirement> lacks() {
    return tooOftenMissing().or(this::unresolvable).stream().toList();
  }

  private Optional<UnmetRequirement> tooOftenMissing() {
    long present =
        table.rows().stream().filter(row -> !Double.isNaN(row.signal(signal))).count();
    double share = values.hasBoth() ? present / (double) table.rows().size() : 0;
    return UnmetRequirement.below(
        Requirement.PRESENCE,
        share,
        LEAST_PRESENT,
        "the signal is a number in %.0f %% of the windows, need >= %.0f %%",
        100.0 * present / table.rows().size(),
        LEAST_PRESENT * 100);
  }

  /** Where the best cut lies below the first edge or above the last, no edge can tell. */
  private Optional<UnmetRequirement> unresolvable() {
    return signal
        .histogram()
        .flatMap(any -> outside(table.edges().getOrDefault(signal, List.of())));
  }

  private Optional<UnmetRequirement> outside(List<Double> edges) {
    return UnmetRequirement.below(
            Requirement.EDGES,
            edges.size(),
            LEAST_EDGES,
            "%d bucket edges, need >= %d",
            edges.size(),
            LEAST_EDGES)
        .or(() -> belowFirst(edges.getFirst()))
        .or(() -> outside(edges.getFirst(), edges.getLast()));
  }

  /** A histogram cannot tell what lies in its first bucket apart. */
  private Optional<UnmetRequirement> belowFirst(double first) {
    double share = Confusion.of(values, first).recall();
    return UnmetRequirement.below(
        Requirement.EDGES,
        share,
        LEAST_ABOVE_FIRST_EDGE,
        "users suffer while the signal is below its first bucket edge, %s s, in %.0f %% of the"
            + " missed windows, allowed %.0f %%: it works for an objective on %s beyond %s s",
        RuleWords.number(first),
        100 * (1 - share),
        100 * (1 - LEAST_ABOVE_FIRST_EDGE),
        served(),
        RuleWords.number(first));
  }

  private Optional<UnmetRequirement> outside(double first, double last) {
    return ThresholdFit.anywhere(values, Weights.EVEN)
        .filter(free -> free.high() <= first || free.low() >= last)
        .map(
            free ->
                UnmetRequirement.of(
                    Requirement.EDGES,
                    free.threshold(),
                    free.high() <= first ? first : last,
                    "the best threshold, %s s, lies outside the finite buckets %s to %s s",
                    RuleWords.number(free.threshold()),
                    RuleWords.number(first),
                    RuleWords.number(last)));
  }

  /** Waiting in the queue is a part of the time to the first token and of the whole. */
  private String served() {
    MetricConcept histogram = signal.histogram().orElseThrow();
    return histogram == MetricConcept.QUEUE_TIME
        ? "ttft or e2e"
        : histogram.name().toLowerCase(Locale.ROOT);
  }
}
