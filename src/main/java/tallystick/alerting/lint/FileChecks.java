package tallystick.alerting.lint;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.PlainText;

/** Finds what only the file as a whole shows: split groups, no runbook, silence when gone. */
record FileChecks(RuleFile file, Recordings recordings, List<LintFinding> findings) {
  /** Adds what is found to the findings. */
  void check() {
    for (RuleSource rule : file.rules()) {
      if (rule.alert()) {
        splitGroup(rule);
        runbook(rule);
      }
    }
    silence();
  }

  private void warn(Defect defect, int line, String rule, String why, String corrected) {
    findings.add(
        new LintFinding(defect, Severity.WARNING, file.file(), line, rule, why, corrected));
  }

  private void splitGroup(RuleSource rule) {
    Set<String> elsewhere = new LinkedHashSet<>();
    rule.expression().stream()
        .flatMap(Expressions::metrics)
        .flatMap(metric -> recordings.named(metric).stream())
        .filter(other -> !other.group().equals(rule.group()))
        .forEach(other -> elsewhere.add(other.name() + " in " + other.group()));
    if (!elsewhere.isEmpty()) {
      warn(
          Defect.SPLIT_GROUPS, rule.lineOf(0), rule.name(),
          "groups are evaluated separately: the alert may see the recording of the previous"
              + " evaluation (" + String.join(", ", elsewhere) + ")",
          "move the recordings into group " + rule.group() + ", before the alert");
    }
  }

  private void runbook(RuleSource rule) {
    boolean has =
        rule.annotations().entrySet().stream()
            .anyMatch(
                entry ->
                    entry.getKey().toLowerCase(Locale.ROOT).contains("runbook")
                        && !entry.getValue().isBlank());
    if (!has) {
      warn(
          Defect.NO_RUNBOOK, rule.line(), rule.name(),
          "whoever is on call gets a name and a number, but not what to do",
          "annotations: {runbook_url: https://…#"
              + PlainText.oneLine(rule.name()).toLowerCase(Locale.ROOT) + "}");
    }
  }

  private void silence() {
    List<RuleSource> alerts = file.rules().stream().filter(RuleSource::alert).toList();
    boolean isWatched =
        asksForAbsence(file)
            || alerts.stream()
                .flatMap(rule -> rule.expression().stream())
                .flatMap(Expressions::metrics)
                .anyMatch("up"::equals);
    if (!alerts.isEmpty() && !isWatched) {
      EngineFamily engine = engine();
      String up = "up{job=\"" + job().orElse(engine.name()) + "\"}";
      warn(
          Defect.SILENT_ABSENCE, alerts.getFirst().line(), "",
          "without traffic, with a dead target or a renamed metric these expressions give NaN"
              + " or nothing: every alert of this file then stays silent",
          "alert: " + capitalized(engine.title()) + "TargetDown, expr: " + up
              + " == 0 or absent(" + up + ")");
    }
  }

  /** The engine whose metrics the file reads; the first one where it names none or several. */
  private EngineFamily engine() {
    return selectors()
        .flatMap(selector -> ExposedSeries.family(selector.metric()).stream())
        .findFirst()
        .orElse(MetricVocabulary.standard().families().getFirst());
  }

  /** The scrape job that the file asks an engine's metrics of. */
  private Optional<String> job() {
    return selectors()
        .filter(selector -> ExposedSeries.family(selector.metric()).isPresent())
        .flatMap(selector -> selector.matchers().stream())
        .filter(matcher -> matcher.label().equals("job"))
        .filter(matcher -> matcher.operator() == LabelMatcher.Operator.EQUAL)
        .map(LabelMatcher::value)
        .findFirst();
  }

  private Stream<VectorSelector> selectors() {
    return file.rules().stream()
        .flatMap(rule -> rule.expression().stream())
        .flatMap(Expressions::selectors);
  }

  private static String capitalized(String title) {
    return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1).replace(" ", "");
  }

  /** Whether any alert of the file notices that series are gone. */
  static boolean asksForAbsence(RuleFile file) {
    return file.rules().stream()
        .filter(RuleSource::alert)
        .flatMap(rule -> rule.expression().stream())
        .anyMatch(Expressions::asksForAbsence);
  }
}
