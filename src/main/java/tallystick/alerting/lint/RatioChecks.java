package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.alerting.lint.LintedRule.Comparison;
import tallystick.promql.Expression;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.Matching;
import tallystick.promql.Expression.NumberLiteral;
import tallystick.promql.Expression.Parentheses;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.PromTime;
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

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    clamps(rule).forEach(findings::add);
    if (rule.source().alert()) {
      guard(rule).ifPresent(findings::add);
      rule.comparisons().stream()
          .flatMap(each -> burn(rule, each).stream())
          .findFirst()
          .ifPresent(findings::add);
    }
    return findings;
  }

  private static Stream<LintFinding> clamps(LintedRule rule) {
    return Expressions.all(rule.expression(), BinaryOperation.class)
        .filter(operation -> operation.operator().equals("/"))
        .filter(operation -> isClampedRate(operation.right()))
        .map(
            operation -> {
              Call clamp = (Call) operation.right().bare();
              double least = Expressions.constant(clamp.arguments().get(1)).orElse(Double.NaN);
              return rule.finding(
                  Defect.CLAMPED_RATE,
                  Severity.ERROR,
                  clamp.at(),
                  ("below %s/s the ratio is divided by %s and not by the rate, so a total outage"
                          + " at 0.04 requests/s shows 4 %%")
                      .formatted(ExpressionText.number(least), ExpressionText.number(least)),
                  rule.with(operation.right(), positive(clamp)));
            });
  }

  private static boolean isClampedRate(Expression denominator) {
    return denominator.bare() instanceof Call call
        && call.function().equals("clamp_min")
        && Expressions.all(call, Call.class)
            .anyMatch(each -> each.function().equals("rate") || each.function().equals("irate"))
        && !isBelowOneEvent(call);
  }

  /** Whether a single event in the range is above the clamp, which then only replaces a 0. */
  private static boolean isBelowOneEvent(Call clamp) {
    double least = Expressions.constant(clamp.arguments().get(1)).orElse(1);
    return Expressions.all(clamp, RangeSelector.class)
        .allMatch(range -> least * range.rangeMillis() <= 1000);
  }

  private static Expression positive(Call clamp) {
    return new Parentheses(
        new BinaryOperation(
            ">",
            clamp.arguments().getFirst(),
            new NumberLiteral(0, clamp.at()),
            Matching.PLAIN,
            clamp.at()),
        clamp.at());
  }

  private static Optional<LintFinding> guard(LintedRule rule) {
    Optional<Comparison> judged =
        rule.comparisons().stream().filter(each -> needsGuard(rule, each)).findFirst();
    if (judged.isEmpty()) {
      return Optional.empty();
    }
    Set<String> counted = denominators(rule.resolved(judged.get().signal()));
    if (rule.comparisons().stream().anyMatch(each -> isGuard(rule, each, counted))) {
      return Optional.empty();
    }
    boolean quantile =
        LintedRule.quantiles(rule.resolved(judged.get().signal())).findAny().isPresent();
    String why =
        quantile
            ? "a percentile of few requests is noise; below %s of them it is close to the largest"
                .formatted(events(rule, judged.get()))
            : fewEvents(rule.resolved(judged.get().signal()));
    return Optional.of(
        rule.finding(
            Defect.NO_VOLUME_GUARD,
            Severity.WARNING,
            judged.get().operation().at(),
            why,
            guarded(rule, judged.get(), quantile)));
  }

  private static boolean needsGuard(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    boolean quantile = LintedRule.quantiles(signal).anyMatch(call -> LintedRule.hasRate(call));
    return quantile || LintedRule.isRatio(signal);
  }

  /** Metrics that a ratio divides by. */
  private static Set<String> denominators(Expression signal) {
    return Expressions.all(signal, BinaryOperation.class)
        .filter(operation -> operation.operator().equals("/"))
        .flatMap(operation -> Expressions.all(operation.right(), VectorSelector.class))
        .map(VectorSelector::metric)
        .collect(Collectors.toSet());
  }

  /** What a ratio of few events does; averages and hit ratios have no bad events. */
  private static String fewEvents(Expression signal) {
    List<String> metrics =
        Expressions.all(signal, VectorSelector.class).map(VectorSelector::metric).toList();
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
        Expressions.all(signal, Call.class)
            .filter(call -> LEVELS.contains(call.function()))
            .flatMap(call -> Expressions.all(call, VectorSelector.class))
            .anyMatch(selector -> ExposedSeries.means(selector, MetricConcept.RUNNING));
    boolean volume =
        (LintedRule.hasRate(signal) || running)
            && LintedRule.quantiles(signal).findAny().isEmpty()
            && !LintedRule.isRatio(signal);
    boolean ofRequests =
        Expressions.all(signal, VectorSelector.class)
            .map(VectorSelector::metric)
            .anyMatch(
                metric ->
                    metric.endsWith("_count")
                        || metric.endsWith("_bucket")
                        || metric.toLowerCase(Locale.ROOT).contains("request")
                        || counted.contains(metric));
    return comparison.isAbove() && comparison.threshold() > 0 && volume && ofRequests;
  }

  private static int events(LintedRule rule, Comparison comparison) {
    double level =
        LintedRule.quantiles(rule.resolved(comparison.signal()))
            .mapToDouble(
                call -> Expressions.constant(call.arguments().getFirst()).orElse(Double.NaN))
            .max()
            .orElse(Double.NaN);
    return level > 0.95 ? P99_EVENTS : P95_EVENTS;
  }

  /** The rule with its guard; empty where only the author knows what to count. */
  private static String guarded(LintedRule rule, Comparison comparison, boolean quantile) {
    Expression signal = rule.resolved(comparison.signal());
    Optional<RangeSelector> buckets =
        Expressions.all(signal, RangeSelector.class)
            .filter(range -> range.selector().metric().endsWith("_bucket"))
            .findFirst();
    Optional<Expression.Aggregation> grouped =
        Expressions.all(signal, Expression.Aggregation.class)
            .filter(aggregation -> !aggregation.without())
            .findFirst();
    if (!quantile || buckets.isEmpty() || grouped.isEmpty()) {
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
            events(rule, comparison));
  }

  private static Optional<LintFinding> burn(LintedRule rule, Comparison comparison) {
    Expression signal = rule.resolved(comparison.signal());
    if (!LintedRule.isRatio(signal) || LintedRule.quantiles(signal).findAny().isPresent()) {
      return Optional.empty();
    }
    if (comparison.isAbove() && comparison.threshold() >= 1 && isShare(signal)) {
      return Optional.of(cannotFire(rule, comparison));
    }
    boolean named = (rule.source().name() + rule.source().group()).matches("(?i).*burn.*");
    boolean slow = rule.longestRangeMillis() >= DAY;
    return named && !slow ? factorOne(rule, comparison) : Optional.empty();
  }

  /** Whether a ratio is of a part to its whole: both sides count the same things. */
  private static boolean isShare(Expression signal) {
    return Expressions.all(signal, BinaryOperation.class)
        .filter(operation -> operation.operator().equals("/"))
        .anyMatch(
            operation -> families(operation.left()).equals(families(operation.right())));
  }

  private static List<String> families(Expression part) {
    return Expressions.all(part, VectorSelector.class)
        .map(selector -> selector.metric().replaceFirst("_(bucket|count|total)$", ""))
        .distinct()
        .sorted()
        .toList();
  }

  private static LintFinding cannotFire(LintedRule rule, Comparison comparison) {
    return rule.finding(
        Defect.BURN_FACTOR,
        Severity.ERROR,
        comparison.operation().at(),
        "the threshold is " + ExpressionText.number(rounded(comparison.threshold()))
            + ", but a share of bad events never exceeds 1: factor * (1 - target) must stay below"
            + " 1, so 14.4 needs a target above 93.06 %",
        "");
  }

  /** A rule named burn rate whose threshold is the objective itself, or its complement. */
  private static Optional<LintFinding> factorOne(LintedRule rule, Comparison comparison) {
    double threshold = comparison.threshold();
    boolean literal = comparison.constant().bare() instanceof NumberLiteral;
    boolean availability =
        !comparison.isAbove() && literal && threshold >= 0.99 && threshold < 1;
    boolean badRatio = comparison.isAbove() && literal && USUAL_BUDGETS.contains(threshold);
    if (!availability && !badRatio) {
      return Optional.empty();
    }
    double budget = rounded(availability ? 1 - threshold : threshold);
    double page = rounded(USUAL_FACTOR * budget);
    double corrected = availability ? rounded(1 - page) : page;
    Expression written = comparison.constant().bare();
    String everywhere =
        ExpressionText.of(
            Expressions.map(
                rule.expression(),
                each ->
                    each instanceof NumberLiteral number
                            && number.value() == ((NumberLiteral) written).value()
                        ? new NumberLiteral(corrected, each.at())
                        : each));
    return Optional.of(
        rule.finding(
            Defect.BURN_FACTOR,
            Severity.WARNING,
            comparison.operation().at(),
            ("this is a burn factor of 1: it fires whenever an hour is as bad as the budget of %s"
                    + " allows for the whole month; a page over 1h and 5m takes 14.4")
                .formatted(ExpressionText.number(budget)),
            everywhere));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e9) / 1e9;
  }
}
