package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.Aggregation;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;

/** Finds labels that are not there, values they never have, and sides that can never match. */
final class LabelChecks {
  /** Why vLLM's requests finish, all children there from the start; version 0.32. */
  private static final Set<String> REASONS =
      new TreeSet<>(Set.of("stop", "length", "abort", "error", "repetition"));

  private static final String ABORT = "abort";

  private LabelChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    Expressions.all(rule.expression(), Aggregation.class)
        .forEach(aggregation -> grouping(rule, aggregation).ifPresent(findings::add));
    Expressions.all(rule.expression(), VectorSelector.class)
        .forEach(
            selector -> {
              reason(rule, selector).ifPresent(findings::add);
              LabelNames.check(rule, selector).ifPresent(findings::add);
            });
    Expressions.all(rule.expression(), BinaryOperation.class)
        .forEach(operation -> unmatched(rule, operation).ifPresent(findings::add));
    return findings;
  }

  /** A label for the model by another name than the engine's. */
  private static Optional<LintFinding> grouping(LintedRule rule, Aggregation aggregation) {
    Optional<EngineFamily> family =
        Expressions.all(aggregation, VectorSelector.class)
            .filter(selector -> !ExposedSeries.isOfRouter(selector.metric()))
            .flatMap(selector -> ExposedSeries.family(selector.metric()).stream())
            .findFirst();
    boolean renamed = rule.callsAny(Set.of("label_replace", "label_join"));
    if (family.isEmpty() || renamed) {
      return Optional.empty();
    }
    String right = family.get().labels().model();
    if (right.isEmpty()) {
      return Optional.empty();
    }
    List<String> wrong =
        aggregation.grouping().stream()
            .filter(label -> LabelNames.isModel(label))
            .filter(label -> !label.equals(right))
            .toList();
    if (wrong.isEmpty()) {
      return Optional.empty();
    }
    List<String> labels =
        aggregation.grouping().stream()
            .map(label -> wrong.contains(label) ? right : label)
            .distinct()
            .toList();
    return Optional.of(
        rule.finding(
            Defect.NO_SUCH_LABEL,
            Severity.WARNING,
            aggregation.at(),
            "%s has no label %s unless a scrape adds it: every model falls into one group"
                .formatted(family.get().title(), wrong.getFirst()),
            rule.with(
                aggregation,
                new Aggregation(
                    aggregation.operator(), aggregation.parameter(), aggregation.operand(), labels,
                    aggregation.without(), aggregation.at()))));
  }

  private static Optional<LintFinding> reason(LintedRule rule, VectorSelector selector) {
    boolean ofRequests =
        ExposedSeries.concept(selector.metric())
            .filter(MetricConcept.REQUEST_SUCCESS::equals)
            .isPresent();
    String label =
        ExposedSeries.family(selector.metric())
            .map(family -> family.labels().finishReason())
            .orElse("");
    for (LabelMatcher matcher : selector.matchers()) {
      if (ofRequests && !label.isEmpty() && matcher.label().equals(label)) {
        Set<String> exposed = rule.exposed().values(selector.metric(), label);
        return reason(rule, selector, matcher, exposed.isEmpty() ? REASONS : exposed);
      }
    }
    return Optional.empty();
  }

  private static Optional<LintFinding> reason(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher, Set<String> reasons) {
    Set<String> selected =
        reasons.stream()
            .filter(reason -> matcher.accepts(Labels.of(Map.of(matcher.label(), reason))))
            .collect(Collectors.toCollection(TreeSet::new));
    if (selected.isEmpty()) {
      return Optional.of(
          rule.finding(
              Defect.NO_SUCH_SERIES,
              Severity.ERROR,
              selector.at(),
              "%s is never %s; it is %s"
                  .formatted(
                      matcher.label(), matcher.value(), String.join(", ", reasons)),
              ""));
    }
    boolean asFailure = !selected.contains("stop") && selected.contains(ABORT);
    boolean onPurpose =
        (selected.size() == 1 || rule.source().isQuery()) && !isAboutFailures(rule.source());
    if (!asFailure || onPurpose) {
      return Optional.empty();
    }
    return Optional.of(
        rule.finding(
            Defect.ABORT_AS_FAILURE,
            Severity.WARNING,
            selector.at(),
            "abort is a client that hung up, which is no failure of the server"
                + (selected.contains("length") ? ", and length is an answer as long as asked" : ""),
            rule.with(selector, withReason(selector, matcher))));
  }

  private static boolean isAboutFailures(RuleSource source) {
    return source.name().matches("(?i).*(err|fail|avail|slo|success|5xx).*");
  }

  private static VectorSelector withReason(VectorSelector selector, LabelMatcher old) {
    LabelMatcher errors = LabelMatcher.equal(old.label(), "error");
    return new VectorSelector(
        selector.matchers().stream().map(m -> m == old ? errors : m).toList(),
        selector.timing(),
        selector.at());
  }

  /** Two vectors are matched by all their labels, unless on or ignoring says otherwise. */
  private static Optional<LintFinding> unmatched(LintedRule rule, BinaryOperation operation) {
    boolean vectors =
        !LabelSet.isScalar(operation.left()) && !LabelSet.isScalar(operation.right());
    if (!vectors || operation.operator().equals("or") || operation.matching().on()) {
      return Optional.empty();
    }
    LabelSet left = LabelSet.of(operation.left(), rule.recordings());
    LabelSet right = LabelSet.of(operation.right(), rule.recordings());
    Optional<Set<String>> apart =
        LabelSet.apart(left, right, Set.copyOf(operation.matching().labels()));
    if (apart.isEmpty()) {
      return Optional.empty();
    }
    Set<String> own =
        Set.of("instance", "job", "le", "model_name", "engine", "pod", "namespace");
    boolean sure = apart.get().stream().anyMatch(own::contains);
    return Optional.of(
        rule.finding(
            Defect.UNMATCHED_LABELS,
            sure ? Severity.ERROR : Severity.WARNING,
            operation.at(),
            "only one side of %s has the label %s, so no pair of series is ever found"
                .formatted(operation.operator(), String.join(", ", apart.get())),
            ""));
  }
}
