package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary.Entry;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Series;

/** Finds selectors that match no exposed series: such a rule never fires. */
final class SelectorChecks {
  private static final Set<String> PROMETHEUS_OWN =
      Set.of("ALERTS", "ALERTS_FOR_STATE", "up", "scrape_duration_seconds");

  private SelectorChecks() {}

  static List<LintFinding> check(LintedRule rule) {
    List<LintFinding> findings = new ArrayList<>();
    Expressions.all(rule.expression(), VectorSelector.class)
        .filter(selector -> isJudged(rule, selector))
        .forEach(
            selector -> {
              Optional<LintFinding> name = name(rule, selector);
              name.ifPresent(findings::add);
              if (name.isEmpty()) {
                labels(rule, selector).ifPresent(findings::add);
              }
            });
    return findings;
  }

  private static boolean isJudged(LintedRule rule, VectorSelector selector) {
    String metric = selector.metric();
    return !metric.isEmpty()
        && !PROMETHEUS_OWN.contains(metric)
        && rule.recordings().named(metric).isEmpty();
  }

  private static Optional<LintFinding> name(LintedRule rule, VectorSelector selector) {
    String metric = selector.metric();
    Optional<Entry> entry = ExposedSeries.entry(metric);
    if (rule.exposed().has(metric)) {
      return Optional.empty();
    }
    if (entry.isPresent() && isFamilyOnly(metric, entry.get())) {
      String form =
          entry.get().type() == Series.Type.COUNTER ? "_total" : "_bucket, _sum and _count";
      return Optional.of(
          noSuchSeries(
              rule,
              selector,
              Severity.ERROR,
              metric + " is exposed as " + form + ": the selector matches nothing",
              entry.get().type() == Series.Type.COUNTER ? metric + "_total" : ""));
    }
    if (entry.isPresent() && entry.get().removed() && spansReleases(rule, metric, entry.get())) {
      return Optional.empty();
    }
    if (entry.isPresent() && entry.get().removed()) {
      Severity severity = rule.exposed().isKnown() ? Severity.ERROR : Severity.WARNING;
      return Optional.of(
          noSuchSeries(
              rule,
              selector,
              severity,
              "%s is gone from current releases of %s%s"
                  .formatted(
                      metric,
                      ExposedSeries.family(metric).map(EngineFamily::title).orElse("the engine"),
                      entry.get().note().isEmpty() ? "" : " (" + entry.get().note() + ")"),
              current(metric, entry.get())));
    }
    return unknownName(rule, selector, entry);
  }

  private static Optional<LintFinding> unknownName(
      LintedRule rule, VectorSelector selector, Optional<Entry> entry) {
    String metric = selector.metric();
    Optional<EngineFamily> family = ExposedSeries.family(metric);
    boolean ofEngine = family.isPresent();
    if (rule.exposed().isKnown()) {
      String why =
          ofEngine
              ? "the target exposes no " + metric + rule.exposed().meant(metric)
              : "the target exposes no " + metric + "; if another job does, this is no defect";
      return Optional.of(
          noSuchSeries(rule, selector, ofEngine ? Severity.ERROR : Severity.NOTE, why, ""));
    }
    boolean recorded =
        family
            .map(own -> own.withoutPrefix(ExposedSeries.canonical(metric)))
            .filter(rest -> rest.contains(":"))
            .isPresent();
    if (ofEngine && entry.isEmpty() && !recorded) {
      return Optional.of(
          noSuchSeries(
              rule,
              selector,
              Severity.WARNING,
              "%s is no metric of %s that is known here%s"
                  .formatted(metric, family.get().title(), meant(rule, metric)),
              ""));
    }
    return Optional.empty();
  }

  private static String meant(LintedRule rule, String metric) {
    String meant = rule.exposed().meant(metric);
    return meant.isEmpty() ? "; check it with --target" : meant;
  }

  /** Whether a name is that of the family where only its samples carry values. */
  private static boolean isFamilyOnly(String metric, Entry entry) {
    boolean hasParts =
        entry.type() == Series.Type.COUNTER || entry.type() == Series.Type.HISTOGRAM;
    boolean ofEngine = ExposedSeries.family(entry.family()).isPresent();
    return hasParts && ofEngine && ExposedSeries.canonical(metric).equals(entry.family());
  }

  /** Whether the rule reads the old name beside the new one, as {@code old or new}. */
  private static boolean spansReleases(LintedRule rule, String metric, Entry entry) {
    String now = ExposedSeries.canonical(current(metric, entry));
    boolean hasOr =
        Expressions.all(rule.expression(), Expression.BinaryOperation.class)
            .anyMatch(operation -> operation.operator().equals("or"));
    return hasOr
        && Expressions.all(rule.expression(), VectorSelector.class)
            .anyMatch(other -> ExposedSeries.canonical(other.metric()).equals(now));
  }

  private static String current(String metric, Entry entry) {
    String suffix = ExposedSeries.canonical(metric).substring(entry.family().length());
    MetricConcept concept = entry.concept();
    return ExposedSeries.family(metric)
        .map(family -> MetricVocabulary.standard().namesOf(concept, family))
        .orElse(List.of())
        .stream()
        .filter(name -> !name.removed())
        .map(name -> name.family() + suffix)
        .findFirst()
        .orElse("");
  }

  private static Optional<LintFinding> labels(LintedRule rule, VectorSelector selector) {
    for (LabelMatcher matcher : selector.matchers()) {
      boolean finishReason =
          matcher.label().equals("finish_reason")
              && ExposedSeries.concept(selector.metric())
                  .filter(MetricConcept.REQUEST_SUCCESS::equals)
                  .isPresent();
      if (finishReason) {
        return Optional.of(finishReason(rule, selector, matcher));
      }
      if (matcher.label().equals("le") && matcher.operator() == LabelMatcher.Operator.EQUAL) {
        Optional<LintFinding> edge = edge(rule, selector, matcher);
        if (edge.isPresent()) {
          return edge;
        }
      }
    }
    return Optional.empty();
  }

  private static LintFinding finishReason(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher) {
    LabelMatcher right = new LabelMatcher("finished_reason", matcher.operator(), matcher.value());
    return rule.finding(
        Defect.NO_SUCH_SERIES,
        Severity.ERROR,
        selector.at(),
        "the label is finished_reason; a missing label counts as empty, so this matches "
            + (matcher.accepts(Labels.EMPTY) ? "every series" : "none"),
        rule.with(selector, replaced(selector, matcher, right)));
  }

  /** A bucket that does not exist: {@code le="2"} on a histogram with 1.0 and 2.5. */
  private static Optional<LintFinding> edge(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher) {
    double asked = ExposedSeries.number(matcher.value());
    Optional<BucketEdges> edges = rule.exposed().edges(selector.metric());
    boolean exposedSo = rule.exposed().values(selector.metric(), "le").contains(matcher.value());
    if (edges.isPresent() && edges.get().has(asked) && isWhole(matcher.value()) && !exposedSo) {
      return Optional.of(otherSpelling(rule, selector, matcher));
    }
    if (edges.isEmpty() || Double.isInfinite(asked) || edges.get().has(asked)) {
      return Optional.empty();
    }
    double nearest = edges.get().below(asked);
    LabelMatcher right = edgeMatcher(nearest);
    return Optional.of(
        rule.finding(
            Defect.NO_SUCH_SERIES,
            Severity.ERROR,
            selector.at(),
            "there is no bucket le=\"%s\"; its neighbours are %s and %s"
                .formatted(matcher.value(), nearest, edges.get().above(asked)),
            rule.with(selector, replaced(selector, matcher, right))));
  }

  private static boolean isWhole(String edge) {
    return edge.matches("\\d+");
  }

  private static LintFinding otherSpelling(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher) {
    LabelMatcher right = edgeMatcher(ExposedSeries.number(matcher.value()));
    return rule.finding(
        Defect.NO_SUCH_SERIES,
        Severity.ERROR,
        selector.at(),
        "the bucket is le=\"%s.0\": Prometheus stores it so, and only what comes through"
                .formatted(matcher.value())
            + " OpenTelemetry is le=\"" + matcher.value() + "\"",
        rule.with(selector, replaced(selector, matcher, right)));
  }

  /** A whole edge is stored as 1.0, and as 1 where OpenTelemetry wrote it. */
  private static LabelMatcher edgeMatcher(double edge) {
    return edge == Math.rint(edge)
        ? new LabelMatcher("le", LabelMatcher.Operator.MATCHES, (long) edge + "(\\.0)?")
        : LabelMatcher.equal("le", Double.toString(edge));
  }

  private static VectorSelector replaced(
      VectorSelector selector, LabelMatcher old, LabelMatcher right) {
    return new VectorSelector(
        selector.matchers().stream().map(m -> m == old ? right : m).toList(),
        selector.timing(),
        selector.at());
  }

  private static LintFinding noSuchSeries(
      LintedRule rule, VectorSelector selector, Severity severity, String why, String name) {
    String corrected = "";
    if (!name.isEmpty()) {
      List<LabelMatcher> matchers =
          selector.matchers().stream()
              .map(m -> m.label().equals(Labels.NAME) ? LabelMatcher.equal(m.label(), name) : m)
              .toList();
      corrected =
          rule.with(
              selector, new VectorSelector(matchers, selector.timing(), selector.at()));
    }
    return rule.finding(Defect.NO_SUCH_SERIES, severity, selector.at(), why, corrected);
  }
}
