package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.NumberLiteral;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.PromTime;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.MetricConcept;

/** Finds clamped denominators, missing volume guards and burn rates that are none. */
final class RatioChecks {
  private static final long DAY = 24 * 60 * 60 * 1000L;
  private static final double USUAL_FACTOR = 14.4; // an hour burns 2 % of 30 days' budget
  /** Shares of bad events that objectives allow; a burn rate's threshold is a multiple of one. */
  private static final Set<Double> USUAL_BUDGETS = Set.of(0.05, 0.01, 0.005, 0.001, 0.0005);
  private static final int P95_EVENTS = 100; // of which five are above it
  private static final Set<String> LEVELS = Set.of("avg_over_time", "min_over_time");
  private static final int P99_EVENTS = 500; // of which five are above it

  private RatioChecks() {}

  static void check(LintedRule rule) {
    Expressions.operations(rule.expression(), "/")
        .map(BinaryOperation::right)
        .filter(RatioChecks::isClampedRate)
        .forEach(denominator -> clamped(rule, denominator));
    Expressions.operations(rule.expression(), "/").forEach(each -> mixed(rule, each));
    if (rule.source().alert()) {
      guard(rule);
      rule.comparisons().stream()
          .filter(each -> isBurn(rule, each))
          .limit(1)
          .forEach(each -> burn(rule, each));
    }
  }

  /** A mean or a share needs the count of its own histogram. */
  private static void mixed(LintedRule rule, BinaryOperation division) {
    Optional<String> of = histogram(division.left(), "_(sum|bucket)$");
    Optional<String> by = histogram(division.right(), "_(count|bucket)$");
    if (of.isEmpty() || by.isEmpty() || of.equals(by)) {
      return;
    }
    Expression own =
        Expressions.map(
            division.right(),
            each ->
                each instanceof VectorSelector one
                    ? one.renamed(one.metric().replace(by.get(), of.get()))
                    : each);
    rule.warn(
        Defect.WRONG_DENOMINATOR,
        division.at(),
        of.get() + " is divided by the count of " + by.get() + ", which counts other requests",
        rule.with(division.right(), own));
  }

  /** The one histogram whose series of a kind a part reads alone. */
  private static Optional<String> histogram(Expression part, String kind) {
    List<String> metrics = Expressions.metrics(part).distinct().toList();
    return Optional.of(String.join(" ", metrics))
        .filter(name -> metrics.size() == 1 && name.matches(".*" + kind))
        .map(name -> name.replaceFirst(kind, ""));
  }

  private static void clamped(LintedRule rule, Expression denominator) {
    Call clamp = (Call) denominator.bare();
    String least = ExpressionText.number(least(clamp).orElse(Double.NaN));
    rule.error(
        Defect.CLAMPED_RATE,
        clamp.at(),
        ("below %s/s the ratio is divided by %s and not by the rate, so a total outage at 0.04"
                + " requests/s shows 4 %%")
            .formatted(least, least),
        rule.with(denominator, positive(clamp)));
  }

  private static OptionalDouble least(Call clamp) {
    return Expressions.constant(clamp.arguments().get(1));
  }

  private static boolean isClampedRate(Expression denominator) {
    return denominator.bare() instanceof Call call
        && call.function().equals("clamp_min")
        && Expressions.calls(call, Set.of("rate", "irate")::contains).findAny().isPresent()
        && !isBelowOneEvent(call);
  }

  /** Whether a single event in the range is above the clamp, which then only replaces a 0. */
  private static boolean isBelowOneEvent(Call clamp) {
    double least = least(clamp).orElse(1);
    return Expressions.all(clamp, RangeSelector.class)
        .allMatch(range -> least * range.rangeMillis() <= 1000);
  }

  private static Expression positive(Call clamp) {
    return PromqlParser.parse("(" + ExpressionText.of(clamp.arguments().getFirst()) + " > 0)");
  }

  private static void guard(LintedRule rule) {
    Optional<Comparison> judged =
        rule.comparisons().stream().filter(each -> needsGuard(rule, each)).findFirst();
    if (judged.isEmpty()) {
      return;
    }
    Expression signal = rule.resolved(judged.get().signal());
    Set<String> counted = denominators(signal);
    if (rule.comparisons().stream().noneMatch(each -> isGuard(rule, each, counted))) {
      boolean quantile = LintedRule.hasQuantile(signal);
      String why =
          quantile
              ? "a percentile of few requests is noise; below %s of them it is close to the largest"
                  .formatted(events(signal))
              : fewEvents(signal);
      String corrected = quantile ? guarded(rule, signal) : "";
      rule.warn(Defect.NO_VOLUME_GUARD, judged.get().at(), why, corrected);
    }
  }

  private static boolean needsGuard(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    boolean quantile = LintedRule.quantiles(signal).anyMatch(call -> LintedRule.hasRate(call));
    return quantile || LintedRule.isRatio(signal);
  }

  /** Metrics that a ratio divides by. */
  private static Set<String> denominators(Expression signal) {
    return Expressions.operations(signal, "/")
        .flatMap(division -> Expressions.metrics(division.right()))
        .collect(Collectors.toSet());
  }

  /** What a ratio of few events does; averages and hit ratios have no bad events. */
  private static String fewEvents(Expression signal) {
    List<String> metrics = Expressions.metrics(signal).toList();
    if (metrics.stream().anyMatch(metric -> metric.matches(".*(_sum|tokens_total)"))) {
      return "an average over few requests follows each single one: at night one of them is"
          + " enough to fire the rule";
    }
    if (metrics.stream().anyMatch(metric -> metric.matches(".*_(hits|accepted)(_.*)?"))) {
      return "a share of few events jumps up and down: at night a handful of requests is enough"
          + " to fire the rule";
    }
    return "one bad event of a few is a high ratio: at night the rule fires on single requests";
  }

  /**
   * Whether a comparison asks for a least number of requests, finished or running all along, or of
   * what the judged ratio divides by.
   */
  private static boolean isGuard(LintedRule rule, Comparison comparison, Set<String> counted) {
    Expression signal = rule.resolved(comparison.signal());
    boolean running =
        Expressions.calls(signal, LEVELS::contains)
            .flatMap(Expressions::metrics)
            .anyMatch(metric -> ExposedSeries.means(metric, MetricConcept.RUNNING));
    boolean volume =
        (LintedRule.hasRate(signal) || running)
            && !LintedRule.hasQuantile(signal)
            && !LintedRule.isRatio(signal);
    boolean ofRequests =
        Expressions.metrics(signal)
            .anyMatch(
                metric ->
                    metric.endsWith("_count")
                        || metric.endsWith("_bucket")
                        || metric.toLowerCase(Locale.ROOT).contains("request")
                        || counted.contains(metric));
    return comparison.isAbove() && comparison.threshold() > 0 && volume && ofRequests;
  }

  private static int events(Expression signal) {
    double level =
        LintedRule.quantiles(signal)
            .mapToDouble(
                call -> Expressions.constant(call.arguments().getFirst()).orElse(Double.NaN))
            .max()
            .orElse(Double.NaN);
    return level > 0.95 ? P99_EVENTS : P95_EVENTS;
  }

  /** The rule with the guard of a quantile; empty where only the author knows what to count. */
  private static String guarded(LintedRule rule, Expression signal) {
    Optional<RangeSelector> buckets =
        Expressions.all(signal, RangeSelector.class)
            .filter(range -> range.selector().metric().endsWith("_bucket"))
            .findFirst();
    Optional<Expression.Aggregation> grouped =
        Expressions.all(signal, Expression.Aggregation.class)
            .filter(aggregation -> !aggregation.without())
            .findFirst();
    if (buckets.isEmpty() || grouped.isEmpty()) {
      return "";
    }
    List<String> labels = new ArrayList<>(grouped.get().grouping());
    labels.remove("le");
    boolean mixed =
        rule.expression().bare() instanceof BinaryOperation whole
            && whole.operator().equals("or");
    String whole = ExpressionText.of(rule.expression());
    return "%s and sum%s(increase(%s[%s])) >= %s"
        .formatted(
            mixed ? "(" + whole + ")" : whole,
            labels.isEmpty() ? "" : " by (" + String.join(", ", labels) + ") ",
            buckets.get().selector().metric().replaceFirst("_bucket$", "_count"),
            PromTime.text(buckets.get().rangeMillis()),
            events(signal));
  }

  /** Whether a comparison is a burn rate's whose factor cannot fire, or is none. */
  private static boolean isBurn(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    if (!LintedRule.isRatio(signal) || LintedRule.hasQuantile(signal)) {
      return false;
    }
    boolean named = (rule.source().name() + rule.source().group()).matches("(?i).*burn.*");
    boolean slow = rule.longestRangeMillis() >= DAY;
    return cannotFire(comparison, signal) || named && !slow && isFactorOne(comparison);
  }

  private static boolean cannotFire(Comparison comparison, Expression signal) {
    return comparison.isAbove() && comparison.threshold() >= 1 && isShare(signal);
  }

  /** Whether a ratio is of a part to its whole: both sides count the same things. */
  private static boolean isShare(Expression signal) {
    return Expressions.operations(signal, "/")
        .anyMatch(division -> families(division.left()).equals(families(division.right())));
  }

  private static List<String> families(Expression part) {
    return Expressions.metrics(part)
        .map(metric -> metric.replaceFirst("_(bucket|count|total)$", ""))
        .distinct()
        .sorted()
        .toList();
  }

  private static void burn(LintedRule rule, Comparison comparison) {
    if (cannotFire(comparison, rule.resolved(comparison.signal()))) {
      rule.error(
          Defect.BURN_FACTOR,
          comparison.at(),
          "the threshold is " + ExpressionText.number(rounded(comparison.threshold()))
              + ", but a share of bad events never exceeds 1: factor * (1 - target) must stay below"
              + " 1, so 14.4 needs a target above 93.06 %");
    } else {
      factorOne(rule, comparison);
    }
  }

  /** Whether a rule named burn rate has the objective itself, or its complement, as threshold. */
  private static boolean isFactorOne(Comparison comparison) {
    double threshold = comparison.threshold();
    boolean isOfAvailability = !comparison.isAbove() && threshold >= 0.99 && threshold < 1;
    boolean isOfBadRatio = comparison.isAbove() && USUAL_BUDGETS.contains(threshold);
    return comparison.constant().bare() instanceof NumberLiteral
        && (isOfAvailability || isOfBadRatio);
  }

  private static void factorOne(LintedRule rule, Comparison comparison) {
    boolean availability = !comparison.isAbove();
    double threshold = comparison.threshold();
    double budget = rounded(availability ? 1 - threshold : threshold);
    double page = rounded(USUAL_FACTOR * budget);
    double corrected = availability ? rounded(1 - page) : page;
    Expression everywhere =
        Expressions.map(
            rule.expression(),
            each ->
                each instanceof NumberLiteral number && number.value() == threshold
                    ? new NumberLiteral(corrected, each.at())
                    : each);
    rule.warn(
        Defect.BURN_FACTOR,
        comparison.at(),
        ("this is a burn factor of 1: it fires whenever an hour is as bad as the budget of %s"
                + " allows for the whole month; a page over 1h and 5m takes 14.4")
            .formatted(ExpressionText.number(budget)),
        ExpressionText.of(everywhere));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e9) / 1e9;
  }
}
