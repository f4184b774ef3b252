package tallystick.alerting.lint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Aggregation;
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

  /** Titles of panels that are to show the mean of all time. */
  private static final String SINCE_START =
      "(?i).*(total|overall|lifetime|since|cumulative|all[- ]?time).*";

  private CounterChecks() {}

  static void check(LintedRule rule) {
    Expressions.calls(rule.expression(), RATES::contains).forEach(call -> rate(rule, call));
    Expressions.calls(rule.expression(), CHANGES::containsKey).forEach(call -> change(rule, call));
    if (rule.source().alert()) {
      rule.comparisons().forEach(each -> rawCounter(rule, each));
    }
    boolean isMeant = rule.source().name().matches(SINCE_START);
    if (rule.source().isQuery()
        && !isMeant
        && isRawRatio(rule.expression())
        && !isChange(rule.expression())) {
      sinceStart(rule, Severity.WARNING, rule.expression().at(), rule.expression());
    }
  }

  /** A function for gauges of a counter, of which a restart makes a fall. */
  private static void change(LintedRule rule, Call call) {
    if (call.arguments().getFirst().bare() instanceof RangeSelector range
        && isCounter(range.selector().metric())) {
      String right = CHANGES.get(call.function());
      rule.warn(
          Defect.CHANGE_OF_COUNTER,
          call.at(),
          call.function() + " is for what goes up and down: " + range.selector().metric()
              + " counts, and a restart shows as a fall; " + right + " sees restarts through",
          asksForFall(rule, call)
              ? ""
              : rule.with(call, new Call(right, call.arguments(), call.at())));
    }
  }

  /** Whether a rule waits for a change below 0, which no rate has. */
  private static boolean asksForFall(LintedRule rule, Call call) {
    return rule.comparisons().stream()
        .filter(each -> each.operator().equals("<") && each.threshold() <= 0)
        .flatMap(each -> Expressions.calls(each.signal(), call.function()::equals))
        .anyMatch(call::equals);
  }

  private static void rate(LintedRule rule, Call call) {
    switch (call.arguments().getFirst().bare()) {
      case RangeSelector range -> rate(rule, call, range);
      case Subquery subquery when subquery.inner().bare() instanceof Aggregation sum -> {
        if (Expressions.all(sum, Call.class).findAny().isEmpty()) {
          sumFirst(rule, call, sum, subquery);
        }
      }
      default -> { }
    }
  }

  private static void rate(LintedRule rule, Call call, RangeSelector range) {
    String metric = range.selector().metric();
    if (isGauge(metric)) {
      rule.error(
          Defect.RATE_OF_GAUGE,
          call.at(),
          metric + " goes up and down: each fall is taken for a restart and added; what it is now"
              + " says more",
          rule.with(call, new Call("avg_over_time", call.arguments(), call.at())));
    } else if (range.rangeMillis() < TWO_SCRAPES_MILLIS) {
      rule.report(
          Defect.SHORT_RANGE,
          rule.source().isQuery() ? Severity.NOTE : Severity.WARNING,
          call.at(),
          "a rate needs two samples: %s hold two only if scrapes are at most %s apart"
              .formatted(
                  PromTime.text(range.rangeMillis()), PromTime.text(range.rangeMillis() / 2)),
          rule.with(
              call,
              new Call(
                  call.function(), List.of(LintedRule.fiveMinutesOf(range.selector())),
                  call.at())));
    }
  }

  private static boolean isGauge(String metric) {
    return ExposedSeries.name(metric)
        .filter(name -> name.type() == Series.Type.GAUGE)
        .isPresent();
  }

  private static void sumFirst(
      LintedRule rule, Call call, Aggregation aggregation, Subquery subquery) {
    String corrected = "";
    if (aggregation.operand().bare() instanceof VectorSelector selector) {
      RangeSelector range = new RangeSelector(selector, subquery.rangeMillis(), selector.at());
      Call rated = new Call(call.function(), List.of(range), call.at());
      corrected = rule.with(call, aggregation.of(rated));
    }
    rule.error(
        Defect.RATE_OF_SUM,
        call.at(),
        "a sum of counters falls when one of them restarts or goes: the rate takes all the others"
            + " for new; rate first, then sum",
        corrected);
  }

  /** A counter beside a number: it passes the number once and never comes back. */
  private static void rawCounter(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    if (isChange(signal) || rule.callsAny(Set.of("absent", "absent_over_time", "time"))) {
      return;
    }
    if (isRawRatio(signal)) {
      sinceStart(rule, Severity.ERROR, comparison.at(), comparison.signal());
    } else if (comparison.isAbove()) {
      Expressions.metrics(signal)
          .filter(CounterChecks::isCounter)
          .limit(1)
          .forEach(
              metric ->
                  rule.error(
                      Defect.RAW_COUNTER,
                      comparison.at(),
                      metric
                          + " counts since the process started: once above the threshold it stays"
                          + " there, and the alert never resolves"));
    }
  }

  private static void sinceStart(
      LintedRule rule, Severity severity, int at, Expression signal) {
    rule.report(
        Defect.RAW_COUNTER,
        severity,
        at,
        "both sides count since the process started, so this is the mean of all that time: it"
            + " reacts late, later the longer the process runs, and recovers as slowly",
        signal.equals(rule.resolved(signal))
            ? rule.with(signal, LintedRule.rated(signal, CounterChecks::isCounter))
            : "");
  }

  /** Whether a part tells how something changed, or how many series there are. */
  private static boolean isChange(Expression signal) {
    return Expressions.all(signal, RangeSelector.class).findAny().isPresent()
        || Expressions.all(signal, Subquery.class).findAny().isPresent()
        || LintedRule.hasQuantile(signal)
        || LintedRule.countsSeries(signal)
        || Expressions.selectors(signal)
            .anyMatch(each -> each.timing().offsetMillis() != 0);
  }

  /** A division of one counter by another. */
  private static boolean isRawRatio(Expression signal) {
    return Expressions.operations(signal, "/")
        .anyMatch(division -> hasCounter(division.left()) && hasCounter(division.right()));
  }

  private static boolean hasCounter(Expression part) {
    return Expressions.metrics(part).anyMatch(CounterChecks::isCounter);
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
