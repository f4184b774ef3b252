package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Durations;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.Subquery;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.runrecord.Series;

/** Finds rates of what does not count, counts without a rate, and rates that see too little. */
final class CounterChecks {
  private static final Set<String> RATES = Set.of("rate", "increase", "irate");

  /** Two scrapes of a Prometheus that scrapes every 15 s. */
  private static final long TWO_SCRAPES_MILLIS = 30_000;

  private CounterChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    Expressions.all(rule.expression(), Call.class)
        .filter(call -> RATES.contains(call.function()))
        .forEach(call -> rate(rule, call).forEach(findings::add));
    if (rule.source().alert()) {
      rule.comparisons().stream()
          .filter(Comparison::isAbove)
          .flatMap(each -> rawCounter(rule, each))
          .forEach(findings::add);
    }
    return findings;
  }

  private static Stream<LintFinding> rate(LintedRule rule, Call call) {
    return switch (call.arguments().getFirst().bare()) {
      case RangeSelector range -> rate(rule, call, range);
      case Subquery subquery ->
          subquery.inner().bare() instanceof Aggregation aggregation
                  && Expressions.all(aggregation, Call.class).findAny().isEmpty()
              ? Stream.of(sumFirst(rule, call, aggregation, subquery))
              : Stream.empty();
      default -> Stream.empty();
    };
  }

  private static Stream<LintFinding> rate(LintedRule rule, Call call, RangeSelector range) {
    String metric = range.selector().metric();
    if (isGauge(metric)) {
      return Stream.of(
          rule.finding(
              Defect.RATE_OF_GAUGE,
              Severity.ERROR,
              call.at(),
              "%s goes up and down: each fall is taken for a restart and added; what it is now says"
                      .formatted(metric)
                  + " more",
              rule.with(
                  call,
                  new Call("avg_over_time", call.arguments(), call.at()))));
    }
    if (range.rangeMillis() >= TWO_SCRAPES_MILLIS) {
      return Stream.empty();
    }
    RangeSelector wide = new RangeSelector(range.selector(), 5 * 60_000L, range.at());
    return Stream.of(
        rule.finding(
            Defect.SHORT_RANGE,
            Severity.WARNING,
            call.at(),
            "a rate needs two samples: %s hold two only if scrapes are at most %s apart"
                .formatted(
                    Durations.text(range.rangeMillis()), Durations.text(range.rangeMillis() / 2)),
            rule.with(call, new Call(call.function(), List.of(wide), call.at()))));
  }

  private static boolean isGauge(String metric) {
    return ExposedSeries.entry(metric)
        .filter(entry -> entry.type() == Series.Type.GAUGE)
        .isPresent();
  }

  private static LintFinding sumFirst(
      LintedRule rule, Call call, Aggregation aggregation, Subquery subquery) {
    String corrected = "";
    if (aggregation.operand().bare() instanceof VectorSelector selector) {
      Expression rated =
          new Call(
              call.function(),
              List.of(new RangeSelector(selector, subquery.rangeMillis(), selector.at())),
              call.at());
      corrected =
          rule.with(
              call,
              new Aggregation(
                  aggregation.operator(), aggregation.parameter(), rated, aggregation.grouping(),
                  aggregation.without(), aggregation.at()));
    }
    return rule.finding(
        Defect.RATE_OF_SUM,
        Severity.ERROR,
        call.at(),
        "a sum of counters falls when one of them restarts or goes: the rate takes all the others"
            + " for new; rate first, then sum",
        corrected);
  }

  /** A counter beside a number: it passes the number once and never comes back. */
  private static Stream<LintFinding> rawCounter(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    boolean changes =
        Expressions.all(signal, RangeSelector.class).findAny().isPresent()
            || Expressions.all(signal, Subquery.class).findAny().isPresent()
            || LintedRule.quantiles(signal).findAny().isPresent()
            || rule.callsAny(Set.of("absent", "absent_over_time", "time"));
    if (changes) {
      return Stream.empty();
    }
    return Expressions.all(signal, VectorSelector.class)
        .map(VectorSelector::metric)
        .filter(CounterChecks::isCounter)
        .limit(1)
        .map(
            metric ->
                rule.finding(
                    Defect.RAW_COUNTER,
                    Severity.ERROR,
                    comparison.operation().at(),
                    metric
                        + " counts since the process started: once above the threshold it stays"
                        + " there, and the alert never resolves",
                    ""));
  }

  private static boolean isCounter(String metric) {
    boolean isPart = metric.matches(".*_(total|count|sum|bucket)");
    return ExposedSeries.entry(metric)
        .map(
            entry ->
                switch (entry.type()) {
                  case COUNTER -> true;
                  case HISTOGRAM, SUMMARY -> isPart;
                  case GAUGE, UNTYPED -> false;
                })
        .orElse(metric.endsWith("_total"));
  }
}
