package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricLife;
import tallystick.runrecord.MetricName;
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
    Optional<MetricName> known = ExposedSeries.name(metric);
    if (rule.exposed().has(metric)) {
      return Optional.empty();
    }
    if (known.isPresent() && isFamilyOnly(metric, known.get())) {
      return Optional.of(familyOnly(rule, selector, known.get()));
    }
    if (known.isPresent() && known.get().isOver()) {
      return spansReleases(rule, metric)
          ? Optional.empty()
          : Optional.of(over(rule, selector, known.get()));
    }
    return unknownName(rule, selector, known.isPresent());
  }

  /** Whether a name is that of the family where only its samples carry values. */
  private static boolean isFamilyOnly(String metric, MetricName name) {
    boolean ofEngine = ExposedSeries.family(name.family()).isPresent();
    boolean isFamily = ExposedSeries.canonical(metric).equals(name.family());
    return ofEngine && isFamily && !name.samples().contains(name.family());
  }

  private static LintFinding familyOnly(
      LintedRule rule, VectorSelector selector, MetricName name) {
    String metric = selector.metric();
    if (name.type() == Series.Type.COUNTER) {
      return noSuchSeries(
          rule,
          selector,
          Severity.ERROR,
          metric + " is exposed as _total: the selector matches nothing",
          metric + "_total");
    }
    return readsNative(rule, selector)
        ? noSuchSeries(
            rule,
            selector,
            Severity.NOTE,
            "this reads " + metric + " as a native histogram, which Prometheus has only with"
                + " convert_classic_histograms_to_nhcb; otherwise there are only its _bucket, _sum"
                + " and _count, and the selector matches nothing",
            "")
        : noSuchSeries(
            rule,
            selector,
            Severity.ERROR,
            metric + " is exposed as _bucket, _sum and _count: the selector matches nothing",
            "");
  }

  /** Whether a histogram without its parts stands where a native one can. */
  private static boolean readsNative(LintedRule rule, VectorSelector selector) {
    return !selector.metric().endsWith("_total")
        && Expressions.all(rule.expression(), Expression.Call.class)
            .filter(call -> call.function().matches("histogram_.*|i?rate|increase"))
            .flatMap(call -> Expressions.all(call, VectorSelector.class))
            .anyMatch(inner -> inner.at() == selector.at());
  }

  private static LintFinding over(LintedRule rule, VectorSelector selector, MetricName name) {
    String metric = selector.metric();
    Severity severity = rule.exposed().isKnown() ? Severity.ERROR : Severity.WARNING;
    String note =
        ExposedSeries.entry(metric)
            .map(Entry::note)
            .filter(words -> !words.isEmpty())
            .map(words -> " (" + words + ")")
            .orElse("");
    String since =
        name.life().when(MetricLife.Event.REMOVED).map(release -> " since " + release).orElse("");
    return noSuchSeries(
        rule,
        selector,
        severity,
        metric + " is gone from current releases of " + title(metric) + since + note,
        current(metric));
  }

  /** Metrics of a rule that are gone, with the name under which the very same is there now. */
  static Map<String, String> renamed(LintedRule rule) {
    return Expressions.all(rule.expression(), VectorSelector.class)
        .filter(selector -> isJudged(rule, selector))
        .map(VectorSelector::metric)
        .distinct()
        .filter(metric -> isRenamed(rule, metric))
        .collect(Collectors.toMap(metric -> metric, SelectorChecks::current));
  }

  private static boolean isRenamed(LintedRule rule, String metric) {
    Optional<MetricName> then = ExposedSeries.name(metric).filter(MetricName::isOver);
    Optional<MetricName> now = ExposedSeries.name(current(metric));
    return then.isPresent()
        && now.isPresent()
        && then.get().type() == now.get().type()
        && !isFamilyOnly(metric, then.get())
        && !rule.exposed().has(metric)
        && (!rule.exposed().isKnown() || rule.exposed().has(current(metric)))
        && !spansReleases(rule, metric);
  }

  private static String title(String metric) {
    return ExposedSeries.family(metric).map(EngineFamily::title).orElse("the engine");
  }

  private static Optional<LintFinding> unknownName(
      LintedRule rule, VectorSelector selector, boolean isName) {
    String metric = selector.metric();
    Optional<EngineFamily> family = ExposedSeries.family(metric);
    if (rule.exposed().isKnown()) {
      String why =
          family.isPresent()
              ? "the target exposes no " + metric + rule.exposed().meant(metric)
              : "the target exposes no " + metric + "; if another job does, this is no defect";
      Severity severity = family.isPresent() ? Severity.ERROR : Severity.NOTE;
      return Optional.of(noSuchSeries(rule, selector, severity, why, ""));
    }
    boolean recorded =
        family
            .map(own -> own.withoutPrefix(ExposedSeries.canonical(metric)))
            .filter(rest -> rest.contains(":"))
            .isPresent();
    if (family.isEmpty() || isName || recorded) {
      return Optional.empty();
    }
    String newest =
        MetricVocabulary.standard()
            .newest(family.get())
            .map(release -> " up to " + release)
            .orElse("");
    return Optional.of(
        noSuchSeries(
            rule,
            selector,
            Severity.WARNING,
            metric + " is no metric of " + family.get().title() + newest + meant(rule, metric),
            ""));
  }

  private static String meant(LintedRule rule, String metric) {
    String meant = rule.exposed().meant(metric);
    return meant.isEmpty() ? "; check it with --target" : meant;
  }

  /** Whether the rule reads the old name beside the new one, as {@code old or new}. */
  private static boolean spansReleases(LintedRule rule, String metric) {
    String now = ExposedSeries.canonical(current(metric));
    boolean hasOr =
        Expressions.all(rule.expression(), Expression.BinaryOperation.class)
            .anyMatch(operation -> operation.operator().equals("or"));
    return hasOr
        && Expressions.all(rule.expression(), VectorSelector.class)
            .anyMatch(other -> ExposedSeries.canonical(other.metric()).equals(now));
  }

  /** What current releases call it; empty if they have nothing with that meaning. */
  private static String current(String metric) {
    Optional<Entry> entry = ExposedSeries.entry(metric);
    Optional<EngineFamily> family = ExposedSeries.family(metric);
    if (entry.isEmpty() || family.isEmpty()) {
      return "";
    }
    String suffix =
        ExposedSeries.canonical(metric).substring(entry.get().family().length());
    return MetricVocabulary.standard().namesOf(entry.get().concept(), family.get()).stream()
        .filter(name -> !name.removed())
        .map(name -> ExposedSeries.collectedAs(metric, name.family() + suffix))
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
