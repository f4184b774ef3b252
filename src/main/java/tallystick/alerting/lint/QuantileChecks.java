package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.RangeSelector;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;

/** Finds quantiles over what is no rate, over single series, without le, or over several models. */
final class QuantileChecks {
  private static final long FIVE_MINUTES = 5 * 60 * 1000L; // as the rules we write look back
  private static final String MODEL = "model_name";

  private QuantileChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    LintedRule.quantiles(rule.expression())
        .forEach(
            call -> {
              level(rule, call).ifPresent(findings::add);
              Optional<LintFinding> rate = rate(rule, call);
              rate.ifPresent(findings::add);
              unbucketed(rule, call).ifPresent(findings::add);
              if (rate.isEmpty()) {
                grouping(rule, call).ifPresent(findings::add);
              }
            });
    Expressions.all(rule.expression(), Aggregation.class)
        .filter(each -> each.operator().equals("avg"))
        .filter(each -> each.operand().bare() instanceof Call call && isQuantile(call))
        .forEach(each -> findings.add(averaged(rule, each)));
    return findings;
  }

  private static boolean isQuantile(Call call) {
    return call.function().equals("histogram_quantile");
  }

  private static LintFinding averaged(LintedRule rule, Aggregation aggregation) {
    return rule.finding(
        Defect.QUANTILE_GROUPING,
        Severity.WARNING,
        aggregation.at(),
        "an average of quantiles is no quantile: an idle engine counts as much as a busy one; sum"
            + " the buckets by le first, or take the max",
        "");
  }

  /** The sum or the count of a histogram in place of its buckets. */
  private static Optional<LintFinding> unbucketed(LintedRule rule, Call call) {
    List<VectorSelector> selectors =
        Expressions.all(call.arguments().get(1), VectorSelector.class).toList();
    boolean without =
        !selectors.isEmpty()
            && selectors.stream()
                .allMatch(
                    each ->
                        each.metric().matches(".*_(sum|count)")
                            && rule.recordings().named(each.metric()).isEmpty()
                            && each.matchers().stream().noneMatch(m -> m.label().equals("le")));
    if (!without) {
      return Optional.empty();
    }
    Expression bucketed =
        Expressions.map(
            call.arguments().get(1),
            each -> each instanceof VectorSelector selector ? bucketOf(selector) : each);
    return Optional.of(
        found(
            rule,
            call,
            Severity.ERROR,
            selectors.getFirst().metric() + " has no label le, so there are no buckets and never a"
                + " result",
            bucketed));
  }

  private static VectorSelector bucketOf(VectorSelector selector) {
    return new VectorSelector(
        selector.matchers().stream()
            .map(
                matcher ->
                    matcher.label().equals(Labels.NAME)
                        ? LabelMatcher.equal(
                            Labels.NAME,
                            matcher.value().replaceFirst("_(sum|count)$", "_bucket"))
                        : matcher)
            .toList(),
        selector.timing(),
        selector.at());
  }

  private static Optional<LintFinding> level(LintedRule rule, Call call) {
    Expression written = call.arguments().getFirst();
    double level = Expressions.constant(written).orElse(Double.NaN);
    if (!(level < 0 || level > 1)) {
      return Optional.empty();
    }
    double meant = level > 1 && level < 100 ? level / 100 : Double.NaN;
    Expression right = new Expression.NumberLiteral(meant, written.at());
    return Optional.of(
        rule.finding(
            Defect.QUANTILE_LEVEL,
            Severity.ERROR,
            call.at(),
            "a level of %s gives %s, whatever the buckets hold; it is a share from 0 to 1"
                .formatted(ExpressionText.number(level), level > 1 ? "+Inf" : "-Inf"),
            Double.isNaN(meant) ? "" : rule.with(written, right)));
  }

  private static Optional<LintFinding> rate(LintedRule rule, Call call) {
    Expression argument = call.arguments().get(1);
    List<VectorSelector> raw =
        Expressions.all(argument, VectorSelector.class)
            .filter(selector -> selector.metric().endsWith("_bucket"))
            .toList();
    if (raw.isEmpty() || LintedRule.hasRate(argument)) {
      return Optional.empty();
    }
    Expression rated =
        Expressions.map(argument, each -> raw.contains(each) ? rateOf(each) : each);
    Expression grouped = rated.bare() instanceof Call ? sum(rated, "le", MODEL) : rated;
    return Optional.of(
        rule.finding(
            Defect.QUANTILE_WITHOUT_RATE,
            Severity.ERROR,
            call.at(),
            "this is the quantile of every request since the process started: it hardly moves and"
                + " cannot recover",
            rule.with(call, new Call(call.function(), withSecond(call, grouped), call.at()))));
  }

  private static Expression rateOf(Expression selector) {
    VectorSelector vector = (VectorSelector) selector;
    return new Call(
        "rate", List.of(new RangeSelector(vector, FIVE_MINUTES, vector.at())), vector.at());
  }

  private static List<Expression> withSecond(Call call, Expression second) {
    return List.of(call.arguments().getFirst(), second);
  }

  private static Optional<LintFinding> grouping(LintedRule rule, Call call) {
    Expression argument = call.arguments().get(1);
    boolean counted =
        Expressions.all(argument, VectorSelector.class)
            .anyMatch(selector -> selector.metric().endsWith("_bucket"));
    if (!counted) {
      return Optional.empty();
    }
    if (!(argument.bare() instanceof Aggregation aggregation)) {
      if (rule.source().isQuery()) {
        return Optional.empty(); // A panel may draw a line for each pod.
      }
      return Optional.of(
          found(
              rule,
              call,
              Severity.WARNING,
              "without sum by (le, …) there is one quantile for every engine and pod, each from"
                  + " few requests",
              sum(argument, "le", MODEL)));
    }
    List<String> labels = new ArrayList<>(aggregation.grouping());
    if (labels.contains("le") == aggregation.without()) {
      labels.removeIf("le"::equals);
      if (!aggregation.without()) {
        labels.addFirst("le");
      }
      return Optional.of(
          found(
              rule,
              call,
              Severity.ERROR,
              "the aggregation drops le, so there are no buckets left and no result",
              regrouped(aggregation, labels)));
    }
    if (aggregation.operator().matches("max|min")) {
      return Optional.of(
          found(
              rule,
              call,
              Severity.WARNING,
              aggregation.operator() + " takes each bucket from another engine, so what is left is"
                  + " the histogram of none",
              sum(aggregation.operand(), aggregation)));
    }
    return rule.source().isQuery()
        ? Optional.empty()
        : merged(rule, call, aggregation, labels);
  }

  private static Optional<LintFinding> merged(
      LintedRule rule, Call call, Aggregation aggregation, List<String> labels) {
    boolean keepsModel = labels.contains(MODEL) != aggregation.without();
    boolean oneModel =
        Expressions.all(aggregation, VectorSelector.class)
            .anyMatch(s -> s.matchers().stream().anyMatch(m -> m.label().equals(MODEL)));
    boolean other = labels.stream().anyMatch(label -> label.contains("model"));
    boolean ofEngine =
        Expressions.all(aggregation, VectorSelector.class)
            .anyMatch(s -> ExposedSeries.family(s.metric()).isPresent());
    if (keepsModel || oneModel || other && !aggregation.without() || !ofEngine) {
      return Optional.empty();
    }
    if (aggregation.without()) {
      labels.remove(MODEL);
    } else {
      labels.add(MODEL);
    }
    return Optional.of(
        found(
            rule,
            call,
            Severity.WARNING,
            "models are merged into one quantile: a fast one hides a slow one",
            regrouped(aggregation, labels)));
  }

  private static LintFinding found(
      LintedRule rule, Call call, Severity severity, String why, Expression argument) {
    return rule.finding(
        Defect.QUANTILE_GROUPING,
        severity,
        call.at(),
        why,
        rule.with(call, new Call(call.function(), withSecond(call, argument), call.at())));
  }

  private static Expression regrouped(Aggregation aggregation, List<String> labels) {
    return new Aggregation(
        aggregation.operator(),
        aggregation.parameter(),
        aggregation.operand(),
        labels,
        aggregation.without(),
        aggregation.at());
  }

  private static Expression sum(Expression operand, Aggregation like) {
    return new Aggregation(
        "sum", List.of(), operand, like.grouping(), like.without(), like.at());
  }

  private static Expression sum(Expression operand, String... labels) {
    return new Aggregation("sum", List.of(), operand, List.of(labels), false, operand.at());
  }
}
