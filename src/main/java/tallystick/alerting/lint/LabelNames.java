package tallystick.alerting.lint;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.runrecord.EngineFamily;
import tallystick.scenario.NearestKey;

/** Finds conditions on a label that an engine calls by another name. */
final class LabelNames {
  /** Shorter words are one letter from too many others. */
  private static final int SHORTEST = 6;

  private LabelNames() {}

  /** Whether a label says which model, under any of the names it has anywhere. */
  static boolean isModel(String label) {
    return label.matches("model|model_?id|modelname|served_model_name|model_name");
  }

  /** Reports the first condition of a selector on such a label. */
  static void check(LintedRule rule, VectorSelector selector) {
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
        report(rule, selector, matcher, right.get());
        return;
      }
    }
  }

  private static void report(
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
