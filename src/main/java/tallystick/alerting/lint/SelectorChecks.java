package tallystick.alerting.lint;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
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

  static void check(LintedRule rule) {
    Expressions.selectors(rule.expression())
        .filter(selector -> isJudged(rule, selector))
        .forEach(
            selector -> {
              if (isNameGood(rule, selector)) {
                labels(rule, selector);
              }
            });
  }

  private static boolean isJudged(LintedRule rule, VectorSelector selector) {
    String metric = selector.metric();
    return !metric.isEmpty()
        && !PROMETHEUS_OWN.contains(metric)
        && rule.recordings().named(metric).isEmpty();
  }

  /** Reports what is wrong with a metric's name; whether nothing is. */
  private static boolean isNameGood(LintedRule rule, VectorSelector selector) {
    String metric = selector.metric();
    Optional<MetricName> known = ExposedSeries.name(metric);
    if (rule.exposed().has(metric)) {
      return true;
    }
    if (known.isPresent() && isFamilyOnly(metric, known.get())) {
      familyOnly(rule, selector, known.get());
      return false;
    }
    if (known.isPresent() && known.get().isOver()) {
      boolean isMeant = spansReleases(rule, metric);
      if (!isMeant) {
        over(rule, selector, known.get());
      }
      return isMeant;
    }
    return isUnknownNameGood(rule, selector, known.isPresent());
  }

  /** Whether a name is that of the family where only its samples carry values. */
  private static boolean isFamilyOnly(String metric, MetricName name) {
    boolean ofEngine = ExposedSeries.family(name.family()).isPresent();
    boolean isFamily = ExposedSeries.canonical(metric).equals(name.family());
    return ofEngine && isFamily && !name.samples().contains(name.family());
  }

  private static void familyOnly(LintedRule rule, VectorSelector selector, MetricName name) {
    String metric = selector.metric();
    if (name.type() == Series.Type.COUNTER) {
      noSuchSeries(
          rule, selector, Severity.ERROR,
          metric + " is exposed as _total: the selector matches nothing", metric + "_total");
    } else if (readsNative(rule, selector)) {
      noSuchSeries(
          rule, selector, Severity.NOTE,
          "this reads " + metric + " as a native histogram, which Prometheus has only with"
              + " convert_classic_histograms_to_nhcb; otherwise there are only its _bucket, _sum"
              + " and _count, and the selector matches nothing",
          "");
    } else {
      noSuchSeries(
          rule, selector, Severity.ERROR,
          metric + " is exposed as _bucket, _sum and _count: the selector matches nothing", "");
    }
  }

  /** Whether a histogram without its parts stands where a native one can. */
  private static boolean readsNative(LintedRule rule, VectorSelector selector) {
    return !selector.metric().endsWith("_total")
        && Expressions.calls(
                rule.expression(), name -> name.matches("histogram_.*|i?rate|increase"))
            .flatMap(Expressions::selectors)
            .anyMatch(inner -> inner.at() == selector.at());
  }

  private static void over(LintedRule rule, VectorSelector selector, MetricName name) {
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
    noSuchSeries(
        rule, selector, severity,
        metric + " is gone from current releases of " + title(metric) + since + note,
        current(metric));
  }

  /** Metrics of a rule that are gone, with the name under which the very same is there now. */
  static Map<String, String> renamed(LintedRule rule) {
    return Expressions.selectors(rule.expression())
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

  private static boolean isUnknownNameGood(
      LintedRule rule, VectorSelector selector, boolean isName) {
    String metric = selector.metric();
    Optional<EngineFamily> family = ExposedSeries.family(metric);
    if (rule.exposed().isKnown()) {
      noSuchSeries(
          rule, selector, family.isPresent() ? Severity.ERROR : Severity.NOTE,
          "the target exposes no " + metric
              + (family.isPresent()
                  ? rule.exposed().meant(metric)
                  : "; if another job does, this is not a defect"),
          "");
      return false;
    }
    boolean recorded =
        family
            .map(own -> own.withoutPrefix(ExposedSeries.canonical(metric)))
            .filter(rest -> rest.contains(":"))
            .isPresent();
    if (family.isEmpty() || isName || recorded) {
      return true;
    }
    String newest =
        MetricVocabulary.standard()
            .newest(family.get())
            .map(release -> " up to " + release)
            .orElse("");
    noSuchSeries(
        rule, selector, Severity.WARNING,
        metric + " is not a metric of " + family.get().title() + newest + meant(rule, metric), "");
    return false;
  }

  private static String meant(LintedRule rule, String metric) {
    String meant = rule.exposed().meant(metric);
    return meant.isEmpty() ? "; check it with --target" : meant;
  }

  /** Whether the rule reads the old name beside the new one, as {@code old or new}. */
  private static boolean spansReleases(LintedRule rule, String metric) {
    String now = ExposedSeries.canonical(current(metric));
    boolean hasOr = Expressions.operations(rule.expression(), "or").findAny().isPresent();
    return hasOr
        && Expressions.metrics(rule.expression())
            .anyMatch(other -> ExposedSeries.canonical(other).equals(now));
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

  /** Reports the first condition on a label or an edge that there is not. */
  private static void labels(LintedRule rule, VectorSelector selector) {
    boolean isOfRequests =
        ExposedSeries.means(selector.metric(), MetricConcept.REQUEST_SUCCESS);
    for (LabelMatcher matcher : selector.matchers()) {
      if (isOfRequests && matcher.label().equals("finish_reason")) {
        replaced(
            rule, selector, matcher,
            new LabelMatcher("finished_reason", matcher.operator(), matcher.value()),
            "the label is finished_reason; a missing label counts as empty, so this matches "
                + (matcher.accepts(Labels.EMPTY) ? "every series" : "none"));
        return;
      }
      boolean isEdge =
          matcher.label().equals("le") && matcher.operator() == LabelMatcher.Operator.EQUAL;
      if (isEdge && !isEdgeGood(rule, selector, matcher)) {
        return;
      }
    }
  }

  /** Reports a bucket that does not exist: {@code le="2"} on a histogram with 1.0 and 2.5. */
  private static boolean isEdgeGood(
      LintedRule rule, VectorSelector selector, LabelMatcher matcher) {
    double asked = ExposedSeries.number(matcher.value());
    Optional<BucketEdges> edges = rule.exposed().edges(selector.metric());
    boolean exposedSo = rule.exposed().values(selector.metric(), "le").contains(matcher.value());
    if (edges.isPresent() && edges.get().has(asked) && isWhole(matcher.value()) && !exposedSo) {
      replaced(
          rule, selector, matcher, edgeMatcher(asked),
          "the bucket is le=\"%s.0\": Prometheus stores it so, and only what comes through"
                  .formatted(matcher.value())
              + " OpenTelemetry is le=\"" + matcher.value() + "\"");
      return false;
    }
    if (edges.isEmpty() || Double.isInfinite(asked) || edges.get().has(asked)) {
      return true;
    }
    double nearest = edges.get().below(asked);
    replaced(
        rule, selector, matcher, edgeMatcher(nearest),
        "there is no bucket le=\"%s\"; its neighbours are %s and %s"
            .formatted(matcher.value(), nearest, edges.get().above(asked)));
    return false;
  }

  private static boolean isWhole(String edge) {
    return edge.matches("\\d+");
  }

  /** A whole edge is stored as 1.0, and as 1 where OpenTelemetry wrote it. */
  private static LabelMatcher edgeMatcher(double edge) {
    return edge == Math.rint(edge)
        ? new LabelMatcher("le", LabelMatcher.Operator.MATCHES, (long) edge + "(\\.0)?")
        : LabelMatcher.equal("le", Double.toString(edge));
  }

  private static void replaced(
      LintedRule rule, VectorSelector selector, LabelMatcher old, LabelMatcher right, String why) {
    String corrected = corrected(rule, selector, selector.with(old, right));
    rule.error(Defect.NO_SUCH_SERIES, selector.at(), why, corrected);
  }

  private static void noSuchSeries(
      LintedRule rule, VectorSelector selector, Severity severity, String why, String name) {
    String corrected = name.isEmpty() ? "" : corrected(rule, selector, selector.renamed(name));
    rule.report(Defect.NO_SUCH_SERIES, severity, selector.at(), why, corrected);
  }

  /** The whole expression with one selector replaced, and every other old name as it is now. */
  private static String corrected(
      LintedRule rule, VectorSelector selector, VectorSelector replacement) {
    Map<String, String> renamed = renamed(rule);
    return ExpressionText.of(
        Expressions.map(
            rule.replaced(selector, replacement),
            each ->
                each instanceof VectorSelector other && renamed.containsKey(other.metric())
                    ? other.renamed(renamed.get(other.metric()))
                    : each));
  }
}
