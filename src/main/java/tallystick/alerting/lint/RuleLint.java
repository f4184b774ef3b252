package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.RuleTemplate;
import tallystick.alerting.lint.LintFinding.Severity;

/** Finds the kinds of defect that public rules for LLM engines have. */
public final class RuleLint {
  private RuleLint() {}

  /**
   * Every finding of a file, by line.
   *
   * @param exposed what a target exposes, or {@link ExposedSeries#none()}: then the usual names
   *     and edges of an engine are taken
   */
  public static List<LintFinding> check(RuleFile file, ExposedSeries exposed) {
    Recordings recordings = Recordings.of(file);
    List<LintFinding> findings = new ArrayList<>();
    new FileChecks(file, recordings, findings).check();
    for (RuleSource rule : file.rules()) {
      rule.fault().ifPresent(fault -> findings.add(unreadable(file, rule, fault)));
      rule.expression()
          .ifPresent(
              expression -> {
                LintedRule linted =
                    new LintedRule(file, recordings, rule, expression, exposed, findings);
                SelectorChecks.check(linted);
                QuantileChecks.check(linted);
                ThresholdChecks.check(linted);
                RatioChecks.check(linted);
                PagingChecks.check(linted);
                LabelChecks.check(linted);
                CounterChecks.check(linted);
                FiringChecks.check(linted);
                IdleChecks.check(linted);
                ReplicaChecks.check(linted);
              });
    }
    return findings.stream()
        .distinct()
        .sorted(
            Comparator.comparingInt(LintFinding::line)
                .thenComparing(LintFinding::severity)
                .thenComparing(LintFinding::defect))
        .toList();
  }

  private static LintFinding unreadable(RuleFile file, RuleSource rule, RuleSource.Fault fault) {
    boolean isTemplate = rule.text().read().contains("{{");
    boolean isWrong = fault.understood() && !isTemplate;
    return new LintFinding(
        isWrong ? Defect.SYNTAX : Defect.NOT_UNDERSTOOD,
        isWrong ? Severity.ERROR : Severity.NOTE,
        file.file(),
        rule.lineOf(fault.offset()),
        rule.name(),
        isTemplate ? RuleTemplate.HINT : fault.message(),
        "");
  }
}
