package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.PlainText;

/** Finds what only the file as a whole shows: split groups, no runbook, silence when gone. */
final class FileChecks {
  private FileChecks() {}

  static List<LintFinding> check(RuleFile file, Recordings recordings) {
    List<LintFinding> findings = new ArrayList<>();
    for (RuleSource rule : file.rules()) {
      if (rule.alert()) {
        splitGroup(file, recordings, rule).ifPresent(findings::add);
        runbook(file, rule).ifPresent(findings::add);
      }
    }
    silence(file).ifPresent(findings::add);
    return findings;
  }

  private static Optional<LintFinding> splitGroup(
      RuleFile file, Recordings recordings, RuleSource rule) {
    Set<String> elsewhere = new LinkedHashSet<>();
    rule.expression().stream()
        .flatMap(expression -> Expressions.all(expression, VectorSelector.class))
        .forEach(
            selector ->
                recordings.named(selector.metric()).stream()
                    .filter(other -> !other.group().equals(rule.group()))
                    .forEach(other -> elsewhere.add(other.name() + " in " + other.group())));
    if (elsewhere.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        found(
            Defect.SPLIT_GROUPS,
            file,
            rule,
            rule.lineOf(0),
            "groups are evaluated separately: the alert may see the recording of the previous"
                + " evaluation ("
                + String.join(", ", elsewhere)
                + ")",
            "move the recordings into group " + rule.group() + ", before the alert"));
  }

  private static Optional<LintFinding> runbook(RuleFile file, RuleSource rule) {
    boolean has =
        rule.annotations().entrySet().stream()
            .anyMatch(
                entry ->
                    entry.getKey().toLowerCase(Locale.ROOT).contains("runbook")
                        && !entry.getValue().isBlank());
    if (has) {
      return Optional.empty();
    }
    return Optional.of(
        found(
            Defect.NO_RUNBOOK,
            file,
            rule,
            rule.line(),
            "whoever is on call gets a name and a number, but not what to do",
            "annotations: {runbook_url: https://…#"
                + PlainText.oneLine(rule.name()).toLowerCase(Locale.ROOT) + "}"));
  }

  private static Optional<LintFinding> silence(RuleFile file) {
    List<RuleSource> alerts = file.rules().stream().filter(RuleSource::alert).toList();
    boolean watched =
        alerts.stream()
            .flatMap(rule -> rule.expression().stream())
            .anyMatch(FileChecks::noticesAbsence);
    if (alerts.isEmpty() || watched) {
      return Optional.empty();
    }
    RuleSource first = alerts.getFirst();
    EngineFamily engine = engine(file);
    String up = "up{job=\"" + job(file).orElse(engine.name()) + "\"}";
    return Optional.of(
        new LintFinding(
            Defect.SILENT_ABSENCE,
            Severity.WARNING,
            file.file(),
            first.line(),
            "",
            "no traffic, a dead target or a renamed metric give NaN or nothing, which resolves"
                + " every alert of this file",
            "alert: " + capitalized(engine.title()) + "TargetDown, expr: " + up + " == 0 or absent("
                + up + ")"));
  }

  /** The engine whose metrics the file reads; the first one where it names none or several. */
  private static EngineFamily engine(RuleFile file) {
    return selectors(file)
        .flatMap(selector -> ExposedSeries.family(selector.metric()).stream())
        .findFirst()
        .orElse(MetricVocabulary.standard().families().getFirst());
  }

  /** The scrape job that the file asks an engine's metrics of. */
  private static Optional<String> job(RuleFile file) {
    return selectors(file)
        .filter(selector -> ExposedSeries.family(selector.metric()).isPresent())
        .flatMap(selector -> selector.matchers().stream())
        .filter(matcher -> matcher.label().equals("job"))
        .filter(matcher -> matcher.operator() == LabelMatcher.Operator.EQUAL)
        .map(LabelMatcher::value)
        .findFirst();
  }

  private static Stream<VectorSelector> selectors(RuleFile file) {
    return file.rules().stream()
        .flatMap(rule -> rule.expression().stream())
        .flatMap(expression -> Expressions.all(expression, VectorSelector.class));
  }

  private static String capitalized(String title) {
    return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1).replace(" ", "");
  }

  private static boolean noticesAbsence(Expression expression) {
    boolean up =
        Expressions.all(expression, VectorSelector.class)
            .anyMatch(selector -> selector.metric().equals("up"));
    return up || asksForAbsence(expression);
  }

  /** Whether any alert of the file notices that series are gone. */
  static boolean asksForAbsence(RuleFile file) {
    return file.rules().stream()
        .filter(RuleSource::alert)
        .flatMap(rule -> rule.expression().stream())
        .anyMatch(FileChecks::asksForAbsence);
  }

  private static boolean asksForAbsence(Expression expression) {
    return Expressions.all(expression, Call.class)
        .anyMatch(call -> call.function().startsWith("absent"));
  }

  private static LintFinding found(
      Defect defect, RuleFile file, RuleSource rule, int line, String why, String corrected) {
    return new LintFinding(
        defect, Severity.WARNING, file.file(), line, rule.name(), why, corrected);
  }
}
