package tallystick.alerting.backtest;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.Spelling;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.RuleGroup;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Objective;

/**
 * What a run need not be looked at for to know of an alert, but for the series there are.
 *
 * @param tailMillis how long it may go on firing when users are well again: as far back as its
 *     condition looks, {@code keep_firing_for}, two evaluations; an hour at most
 * @param withoutSeries its selectors that select nothing in the run
 * @param isOfUsers whether its condition reads what the objective is about, so that it must fire
 *     where users suffer
 */
public record AlertTraits(long tailMillis, List<String> withoutSeries, boolean isOfUsers) {
  static final AlertTraits NONE = new AlertTraits(0, List.of(), false);
  private static final long MOST_TAIL_MILLIS = 60 * 60_000L; // docs/alerts.md, the tail

  public AlertTraits {
    withoutSeries = List.copyOf(withoutSeries);
  }

  /**
   * Those of every alert of some groups, by its name.
   *
   * @param store the recorded series, before rules add to them
   * @param evaluationMillis of groups that name none
   * @param objective of the users
   */
  static Map<String, AlertTraits> of(
      List<RuleGroup> groups, SeriesStore store, long evaluationMillis, Objective objective) {
    Map<String, Expression> recordings = new HashMap<>();
    Map<String, AlertTraits> traits = new LinkedHashMap<>();
    for (RuleGroup group : groups) {
      group.recordings().forEach(one -> recordings.putIfAbsent(one.name(), one.expression()));
    }
    for (RuleGroup group : groups) {
      long interval = group.intervalMillis() > 0 ? group.intervalMillis() : evaluationMillis;
      for (RuleGroup.Alert alert : group.alerts()) {
        Expression whole =
            Expressions.resolved(
                alert.expression(),
                each ->
                    each instanceof VectorSelector selector
                        ? Optional.ofNullable(recordings.get(selector.metric()))
                        : Optional.empty());
        long tail = memoryMillis(whole) + alert.keepFiringMillis() + 2 * interval;
        traits.put(
            alert.name(),
            new AlertTraits(
                Math.min(MOST_TAIL_MILLIS, tail),
                withoutSeries(whole, store),
                isOfUsers(whole, objective)));
      }
    }
    return traits;
  }

  /** How far back a condition looks: of sides joined by and, the one that forgets first. */
  public static long memoryMillis(Expression expression) {
    LongStream sides = expression.children().stream().mapToLong(AlertTraits::memoryMillis);
    return switch (expression) {
      case Expression.RangeSelector range -> range.rangeMillis();
      case Expression.Subquery subquery ->
          subquery.rangeMillis() + memoryMillis(subquery.inner());
      case BinaryOperation operation when operation.operator().equals("and") ->
          sides.filter(side -> side > 0).min().orElse(0);
      case BinaryOperation operation when operation.operator().equals("unless") ->
          memoryMillis(operation.left());
      default -> sides.max().orElse(0);
    };
  }

  /** Buckets tell how long users waited; a count alone tells that something came. */
  private static boolean isOfUsers(Expression whole, Objective objective) {
    Set<MetricConcept> concepts =
        objective.parts().stream()
            .flatMap(part -> Signal.histogram(part.metric()).stream())
            .collect(Collectors.toSet());
    return Expressions.metrics(whole)
        .map(Spelling.COLON::of)
        .filter(metric -> metric.endsWith("_bucket"))
        .flatMap(metric -> MetricVocabulary.standard().entryOf(metric).stream())
        .anyMatch(entry -> concepts.contains(entry.concept()));
  }

  private static List<String> withoutSeries(Expression whole, SeriesStore store) {
    return needed(whole)
        .filter(selector -> store.select(selector.matchers()).isEmpty())
        .map(ExpressionText::of)
        .distinct()
        .toList();
  }

  /** Every selector that a condition needs; what is watched for its absence is not needed. */
  public static Stream<VectorSelector> needed(Expression condition) {
    return Expressions.needed(condition)
        .filter(selector -> !selector.metric().startsWith("ALERTS"));
  }
}
