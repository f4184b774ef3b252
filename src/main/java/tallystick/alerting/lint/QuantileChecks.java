package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;

/** Finds quantiles over what is no rate, over single series, without le, or over several models. */
final class QuantileChecks {
  private static final String MODEL = "model_name";

  private QuantileChecks() {}

  static void check(LintedRule rule) {
    LintedRule.quantiles(rule.expression())
        .forEach(
            call -> {
              level(rule, call);
              boolean isRated = isRated(call);
              if (!isRated) {
                withoutRate(rule, call);
              }
              unbucketed(rule, call);
              if (isRated) {
                grouping(rule, call);
              }
            });
    Expressions.all(rule.expression(), Aggregation.class)
        .filter(each -> each.operator().equals("avg"))
        .filter(each -> each.operand().bare() instanceof Call call && isQuantile(call))
        .forEach(each -> averaged(rule, each));
    Expressions.all(rule.expression(), Aggregation.class)
        .filter(each -> each.operator().equals("quantile") && hasMean(each.operand()))
        .forEach(each -> ofAverages(rule, each));
    Expressions.calls(rule.expression(), "quantile_over_time"::equals)
        .filter(each -> hasMean(each.arguments().getLast()))
        .forEach(each -> ofAverages(rule, each));
  }

  /** Whether a sum is divided by a count. */
  private static boolean hasMean(Expression part) {
    return Expressions.operations(part, "/")
        .anyMatch(
            each ->
                Expressions.metrics(each.left()).anyMatch(metric -> metric.endsWith("_sum"))
                    && Expressions.metrics(each.right())
                        .anyMatch(metric -> metric.endsWith("_count")));
  }

  private static void ofAverages(LintedRule rule, Expression quantile) {
    rule.warn(
        Defect.QUANTILE_GROUPING,
        quantile.at(),
        "a quantile of averages is none of requests: each average hides its slow ones; take"
            + " histogram_quantile of the buckets");
  }

  private static boolean isQuantile(Call call) {
    return call.function().equals("histogram_quantile");
  }

  private static void averaged(LintedRule rule, Aggregation aggregation) {
    rule.warn(
        Defect.QUANTILE_GROUPING,
        aggregation.at(),
        "an average of quantiles is not a quantile: an idle engine counts as much as a busy one;"
            + " sum the buckets by le first, or take the max");
  }

  /** The sum or the count of a histogram in place of its buckets. */
  private static void unbucketed(LintedRule rule, Call call) {
    Expression argument = call.arguments().get(1);
    List<VectorSelector> selectors = Expressions.selectors(argument).toList();
    boolean without =
        !selectors.isEmpty()
            && selectors.stream()
                .allMatch(
                    each ->
                        each.metric().matches(".*_(sum|count)")
                            && rule.recordings().named(each.metric()).isEmpty()
                            && each.matchers().stream().noneMatch(m -> m.label().equals("le")));
    if (without) {
      Expression bucketed =
          Expressions.map(
              argument,
              each ->
                  each instanceof VectorSelector of
                      ? of.renamed(of.metric().replaceFirst("_(sum|count)$", "_bucket"))
                      : each);
      report(
          rule, call, Severity.ERROR,
          selectors.getFirst().metric() + " has no label le, so there are no buckets and never a"
              + " result",
          bucketed);
    }
  }

  private static void level(LintedRule rule, Call call) {
    Expression written = call.arguments().getFirst();
    double level = Expressions.constant(written).orElse(Double.NaN);
    if (!(level < 0 || level > 1)) {
      return;
    }
    double meant = level > 1 && level < 100 ? level / 100 : Double.NaN;
    Expression right = new Expression.NumberLiteral(meant, written.at());
    rule.error(
        Defect.QUANTILE_LEVEL,
        call.at(),
        "a level of %s gives %s, whatever the buckets hold; it is a share from 0 to 1"
            .formatted(ExpressionText.number(level), level > 1 ? "+Inf" : "-Inf"),
        Double.isNaN(meant) ? "" : rule.with(written, right));
  }

  /** Whether it is not of buckets that count since the process started. */
  private static boolean isRated(Call call) {
    Expression argument = call.arguments().get(1);
    return !hasBuckets(argument) || LintedRule.hasRate(argument);
  }

  private static boolean hasBuckets(Expression part) {
    return Expressions.metrics(part).anyMatch(QuantileChecks::isBucket);
  }

  private static boolean isBucket(String metric) {
    return metric.endsWith("_bucket");
  }

  private static void withoutRate(LintedRule rule, Call call) {
    Expression rated = LintedRule.rated(call.arguments().get(1), QuantileChecks::isBucket);
    Expression grouped = rated.bare() instanceof Call ? sum(rated, "le", MODEL) : rated;
    rule.error(
        Defect.QUANTILE_WITHOUT_RATE,
        call.at(),
        "this is the quantile of every request since the process started: it hardly moves and"
            + " cannot recover",
        rule.with(call, withSecond(call, grouped)));
  }

  private static Call withSecond(Call call, Expression second) {
    return new Call(
        call.function(), List.of(call.arguments().getFirst(), second), call.at());
  }

  private static void grouping(LintedRule rule, Call call) {
    Expression argument = call.arguments().get(1);
    if (!hasBuckets(argument)) {
      return;
    }
    // A panel may draw a line for each pod.
    boolean isQuery = rule.source().isQuery();
    if (!(argument.bare() instanceof Aggregation aggregation)) {
      if (!isQuery) {
        report(
            rule, call, Severity.WARNING,
            "without sum by (le, …) there is one quantile for every engine and pod, each from few"
                + " requests",
            sum(argument, "le", MODEL));
      }
      return;
    }
    List<String> labels = new ArrayList<>(aggregation.grouping());
    if (labels.contains("le") == aggregation.without()) {
      labels.removeIf("le"::equals);
      if (!aggregation.without()) {
        labels.addFirst("le");
      }
      report(
          rule, call, Severity.ERROR,
          "the aggregation drops le, so there are no buckets left and no result",
          aggregation.by(labels));
    } else if (aggregation.operator().matches("max|min")) {
      report(
          rule, call, Severity.WARNING,
          aggregation.operator() + " takes each bucket from another engine, so what is left is the"
              + " histogram of none",
          new Aggregation(
              "sum", List.of(), aggregation.operand(), labels, aggregation.without(),
              aggregation.at()));
    } else if (!isQuery) {
      merged(rule, call, aggregation, labels);
    }
  }

  private static void merged(
      LintedRule rule, Call call, Aggregation aggregation, List<String> labels) {
    boolean keepsModel = labels.contains(MODEL) != aggregation.without();
    boolean oneModel =
        Expressions.selectors(aggregation)
            .anyMatch(s -> s.matchers().stream().anyMatch(m -> m.label().equals(MODEL)));
    boolean other = labels.stream().anyMatch(label -> label.contains("model"));
    boolean ofEngine =
        Expressions.metrics(aggregation)
            .anyMatch(metric -> ExposedSeries.family(metric).isPresent());
    if (keepsModel || oneModel || other && !aggregation.without() || !ofEngine) {
      return;
    }
    if (aggregation.without()) {
      labels.remove(MODEL);
    } else {
      labels.add(MODEL);
    }
    report(
        rule, call, Severity.WARNING,
        "models are merged into one quantile: a fast one hides a slow one",
        aggregation.by(labels));
  }

  private static void report(
      LintedRule rule, Call call, Severity severity, String why, Expression argument) {
    String corrected = rule.with(call, withSecond(call, argument));
    rule.report(Defect.QUANTILE_GROUPING, severity, call.at(), why, corrected);
  }

  private static Expression sum(Expression operand, String... labels) {
    return new Aggregation("sum", List.of(), operand, List.of(labels), false, operand.at());
  }
}
