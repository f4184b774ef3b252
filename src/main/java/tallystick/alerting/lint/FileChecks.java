package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.promql.Expression;
import tallystick.promql.Expression.Call;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
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
            rule.textLine(),
            "groups are evaluated apart: the alert may see the recording of one evaluation ago ("
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
    return Optional.of(
        new LintFinding(
            Defect.SILENT_ABSENCE,
            Severity.WARNING,
            file.file(),
            first.line(),
            "",
            "no traffic, a dead target or a renamed metric give NaN or nothing, which resolves"
                + " every alert of this file",
            "alert: VLLMTargetDown, expr: up{job=\"vllm\"} == 0 or absent(up{job=\"vllm\"})"));
  }

  private static boolean noticesAbsence(Expression expression) {
    boolean absent =
        Expressions.all(expression, Call.class)
            .anyMatch(call -> call.function().startsWith("absent"));
    boolean up =
        Expressions.all(expression, VectorSelector.class)
            .anyMatch(selector -> selector.metric().equals("up"));
    return absent || up;
  }

  private static LintFinding found(
      Defect defect, RuleFile file, RuleSource rule, int line, String why, String corrected) {
    return new LintFinding(
        defect, Severity.WARNING, file.file(), line, rule.name(), why, corrected);
  }
}
