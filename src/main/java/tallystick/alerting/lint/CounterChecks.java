package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.Subquery;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.PromTime;
import tallystick.runrecord.Series;

/** Finds rates of what does not count, counts without a rate, and rates that see too little. */
final class CounterChecks {
  private static final Set<String> RATES = Set.of("rate", "increase", "irate");

  /** Functions for gauges, and what does the same for counters. */
  private static final Map<String, String> CHANGES = Map.of("deriv", "rate", "delta", "increase");

  /** Two scrapes of a Prometheus that scrapes every 15 s. */
  private static final long TWO_SCRAPES_MILLIS = 30_000;

  private static final long FIVE_MINUTES = 5 * 60_000L; // as the rules we write look back
  private static final Set<String> COUNTS_OF_SERIES = Set.of("count", "group", "count_values");

  /** Titles of panels that are to show the mean of all time. */
  private static final String SINCE_START =
      "(?i).*(total|overall|lifetime|since|cumulative|all[- ]?time).*";

  private CounterChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    Expressions.all(rule.expression(), Call.class)
        .filter(call -> RATES.contains(call.function()))
        .forEach(call -> rate(rule, call).forEach(findings::add));
    Expressions.all(rule.expression(), Call.class)
        .filter(call -> CHANGES.containsKey(call.function()))
        .flatMap(call -> change(rule, call))
        .forEach(findings::add);
    if (rule.source().alert()) {
      rule.comparisons().stream()
          .flatMap(each -> rawCounter(rule, each))
          .forEach(findings::add);
    }
    boolean isMeant = rule.source().name().matches(SINCE_START);
    if (rule.source().isQuery()
        && !isMeant
        && isRawRatio(rule.expression())
        && !isChange(rule.expression())) {
      findings.add(
          sinceStart(rule, Severity.WARNING, rule.expression().at(), rule.expression()));
    }
    return findings;
  }

  /** A function for gauges of a counter, of which a restart makes a fall. */
  private static Stream<LintFinding> change(LintedRule rule, Call call) {
    if (!(call.arguments().getFirst().bare() instanceof RangeSelector range)
        || !isCounter(range.selector().metric())) {
      return Stream.empty();
    }
    String right = CHANGES.get(call.function());
    return Stream.of(
        rule.finding(
            Defect.CHANGE_OF_COUNTER,
            Severity.WARNING,
            call.at(),
            call.function() + " is for what goes up and down: " + range.selector().metric()
                + " counts, and a restart shows as a fall; " + right + " sees restarts through",
            rule.with(call, new Call(right, call.arguments(), call.at()))));
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
    RangeSelector wide = new RangeSelector(range.selector(), FIVE_MINUTES, range.at());
    return Stream.of(
        rule.finding(
            Defect.SHORT_RANGE,
            rule.source().isQuery() ? Severity.NOTE : Severity.WARNING,
            call.at(),
            "a rate needs two samples: %s hold two only if scrapes are at most %s apart"
                .formatted(
                    PromTime.text(range.rangeMillis()), PromTime.text(range.rangeMillis() / 2)),
            rule.with(call, new Call(call.function(), List.of(wide), call.at()))));
  }

  private static boolean isGauge(String metric) {
    return ExposedSeries.name(metric)
        .filter(name -> name.type() == Series.Type.GAUGE)
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
    if (isChange(signal) || rule.callsAny(Set.of("absent", "absent_over_time", "time"))) {
      return Stream.empty();
    }
    if (isRawRatio(signal)) {
      return Stream.of(
          sinceStart(rule, Severity.ERROR, comparison.operation().at(), comparison.signal()));
    }
    if (!comparison.isAbove()) {
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

  private static LintFinding sinceStart(
      LintedRule rule, Severity severity, int at, Expression signal) {
    return rule.finding(
        Defect.RAW_COUNTER,
        severity,
        at,
        "both sides count since the process started, so this is the mean of all that time: it"
            + " reacts late, later the longer the process runs, and recovers as slowly",
        signal.equals(rule.resolved(signal)) ? rated(rule, signal) : "");
  }

  /** Whether a part tells how something changed, or how many series there are. */
  private static boolean isChange(Expression signal) {
    return Expressions.all(signal, RangeSelector.class).findAny().isPresent()
        || Expressions.all(signal, Subquery.class).findAny().isPresent()
        || LintedRule.quantiles(signal).findAny().isPresent()
        || Expressions.all(signal, Aggregation.class)
            .anyMatch(each -> COUNTS_OF_SERIES.contains(each.operator()))
        || Expressions.all(signal, VectorSelector.class)
            .anyMatch(each -> each.timing().offsetMillis() != 0);
  }

  /** A division of one counter by another. */
  private static boolean isRawRatio(Expression signal) {
    return Expressions.all(signal, BinaryOperation.class)
        .filter(operation -> operation.operator().equals("/"))
        .anyMatch(operation -> hasCounter(operation.left()) && hasCounter(operation.right()));
  }

  private static boolean hasCounter(Expression part) {
    return Expressions.all(part, VectorSelector.class)
        .anyMatch(selector -> isCounter(selector.metric()));
  }

  /** The rule with a rate of each counter. */
  private static String rated(LintedRule rule, Expression signal) {
    Expression rated =
        Expressions.map(
            signal,
            each ->
                each instanceof VectorSelector selector && isCounter(selector.metric())
                    ? new Call(
                        "rate",
                        List.of(new RangeSelector(selector, FIVE_MINUTES, selector.at())),
                        selector.at())
                    : each);
    return rule.with(signal, rated);
  }

  private static boolean isCounter(String metric) {
    boolean isPart = metric.matches(".*_(total|count|sum|bucket)");
    return ExposedSeries.name(metric)
        .map(
            name ->
                switch (name.type()) {
                  case COUNTER -> true;
                  case HISTOGRAM, SUMMARY -> isPart;
                  case GAUGE, UNTYPED -> false;
                })
        .orElse(metric.endsWith("_total"));
  }
}
