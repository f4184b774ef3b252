package tallystick.alerting.lint;

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
import tallystick.scenario.NearestKey;

/** Finds labels that are not there, values they never have, and sides that can never match. */
final class LabelChecks {
  /** Why vLLM's requests finish, all children there from the start; version 0.32. */
  private static final Set<String> REASONS =
      new TreeSet<>(Set.of("stop", "length", "abort", "error", "repetition"));

  private static final String ABORT = "abort";

  /** Shorter words are one letter from too many others. */
  private static final int SHORTEST = 6;

  private LabelChecks() {}

  static void check(LintedRule rule) {
    Expressions.all(rule.expression(), Aggregation.class).forEach(each -> grouping(rule, each));
    Expressions.selectors(rule.expression())
        .forEach(
            selector -> {
              reason(rule, selector);
              name(rule, selector);
            });
    Expressions.all(rule.expression(), BinaryOperation.class)
        .forEach(operation -> unmatched(rule, operation));
  }

  /** A label for the model by another name than the engine's. */
  private static void grouping(LintedRule rule, Aggregation aggregation) {
    Optional<EngineFamily> family =
        Expressions.metrics(aggregation)
            .filter(metric -> !ExposedSeries.isOfRouter(metric))
            .flatMap(metric -> ExposedSeries.family(metric).stream())
            .findFirst();
    boolean renamed = rule.callsAny(Set.of("label_replace", "label_join"));
    String right = family.map(engine -> engine.labels().model()).orElse("");
    if (renamed || right.isEmpty()) {
      return;
    }
    List<String> wrong =
        aggregation.grouping().stream()
            .filter(LabelChecks::isModel)
            .filter(label -> !label.equals(right))
            .toList();
    if (wrong.isEmpty()) {
      return;
    }
    List<String> labels =
        aggregation.grouping().stream()
            .map(label -> wrong.contains(label) ? right : label)
            .distinct()
            .toList();
    rule.warn(
        Defect.NO_SUCH_LABEL,
        aggregation.at(),
        "%s has no label %s unless a scrape adds it: every model falls into one group"
            .formatted(family.get().title(), wrong.getFirst()),
        rule.with(aggregation, aggregation.by(labels)));
  }

  private static void reason(LintedRule rule, VectorSelector selector) {
    if (!ExposedSeries.means(selector.metric(), MetricConcept.REQUEST_SUCCESS)) {
      return;
    }
    String label =
        ExposedSeries.family(selector.metric())
            .map(family -> family.labels().finishReason())
            .orElse("");
    Set<String> exposed = rule.exposed().values(selector.metric(), label);
    selector.matchers().stream()
        .filter(matcher -> !label.isEmpty() && matcher.label().equals(label))
        .limit(1)
        .forEach(each -> reason(rule, selector, each, exposed.isEmpty() ? REASONS : exposed));
  }

  private static void reason(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher, Set<String> reasons) {
    Set<String> selected =
        reasons.stream()
            .filter(reason -> matcher.accepts(Labels.of(Map.of(matcher.label(), reason))))
            .collect(Collectors.toCollection(TreeSet::new));
    if (selected.isEmpty()) {
      rule.error(
          Defect.NO_SUCH_SERIES,
          selector.at(),
          "%s is never %s; it is %s"
              .formatted(matcher.label(), matcher.value(), String.join(", ", reasons)));
      return;
    }
    boolean asFailure = !selected.contains("stop") && selected.contains(ABORT);
    boolean onPurpose =
        (selected.size() == 1 || rule.source().isQuery()) && !isAboutFailures(rule.source());
    if (asFailure && !onPurpose) {
      LabelMatcher errors = LabelMatcher.equal(matcher.label(), "error");
      rule.warn(
          Defect.ABORT_AS_FAILURE,
          selector.at(),
          "abort is a client that hung up, which is not a failure of the server"
              + (selected.contains("length") ? ", and length is an answer as long as asked" : ""),
          rule.with(selector, selector.with(matcher, errors)));
    }
  }

  private static boolean isAboutFailures(RuleSource source) {
    return source.name().matches("(?i).*(err|fail|avail|slo|success|5xx).*");
  }

  /** Two vectors are matched by all their labels, unless on or ignoring says otherwise. */
  private static void unmatched(LintedRule rule, BinaryOperation operation) {
    boolean vectors =
        !LabelSet.isScalar(operation.left()) && !LabelSet.isScalar(operation.right());
    if (!vectors || operation.operator().equals("or") || operation.matching().on()) {
      return;
    }
    LabelSet left = LabelSet.of(operation.left(), rule.recordings());
    LabelSet right = LabelSet.of(operation.right(), rule.recordings());
    Optional<Set<String>> apart =
        LabelSet.apart(left, right, Set.copyOf(operation.matching().labels()));
    if (apart.isPresent()) {
      Set<String> own =
          Set.of("instance", "job", "le", "model_name", "engine", "pod", "namespace");
      boolean sure = apart.get().stream().anyMatch(own::contains);
      rule.report(
          Defect.UNMATCHED_LABELS,
          sure ? Severity.ERROR : Severity.WARNING,
          operation.at(),
          "%s only on one side of %s, so no pair of series is ever found"
              .formatted(
                  apart.get().size() == 1
                      ? "the label " + apart.get().iterator().next() + " is"
                      : "the labels " + String.join(" and ", apart.get()) + " are each",
                  operation.operator()),
          "");
    }
  }

  /** Whether a label says which model, under any of the names it has anywhere. */
  private static boolean isModel(String label) {
    return label.matches("model|model_?id|modelname|served_model_name|model_name");
  }

  /** Reports the first condition of a selector on a label that its engine calls otherwise. */
  private static void name(LintedRule rule, VectorSelector selector) {
    Optional<EngineFamily> family = ExposedSeries.family(selector.metric());
    boolean recorded = !rule.recordings().named(selector.metric()).isEmpty();
    if (family.isEmpty() || recorded || ExposedSeries.entry(selector.metric()).isEmpty()) {
      return;
    }
    for (LabelMatcher matcher : selector.matchers()) {
      boolean exposed = !rule.exposed().values(selector.metric(), matcher.label()).isEmpty();
      Optional<String> right =
          exposed ? Optional.empty() : meant(matcher.label(), family.get().labels());
      if (right.isPresent()) {
        renamed(rule, selector, matcher, right.get());
        return;
      }
    }
  }

  private static void renamed(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher, String right) {
    LabelMatcher renamed = new LabelMatcher(right, matcher.operator(), matcher.value());
    String effect = matcher.accepts(Labels.EMPTY) ? "every series" : "none";
    rule.error(
        Defect.NO_SUCH_LABEL,
        selector.at(),
        "the label is " + right + ", not " + matcher.label()
            + "; a missing label counts as empty, so this matches " + effect,
        rule.with(selector, selector.with(matcher, renamed)));
  }

  private static Optional<String> meant(String label, EngineFamily.Labels labels) {
    Set<String> own = new TreeSet<>(labels.own());
    own.remove("");
    if (own.contains(label) || label.equals("finish_reason")) {
      return Optional.empty();
    }
    if (isModel(label)) {
      return Optional.of(labels.model()).filter(name -> !name.isEmpty());
    }
    return own.stream()
        .filter(near -> near.length() >= SHORTEST)
        .filter(near -> NearestKey.distance(label, near) == 1)
        .findFirst();
  }
}
