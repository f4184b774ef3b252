package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;

/** Finds the thirteen kinds of defect that public vLLM rules have. */
public final class RuleLint {
  private RuleLint() {}

  /**
   * Every finding of a file, by line.
   *
   * @param exposed what a target exposes, or {@link ExposedSeries#none()}: then vLLM's usual names
   *     and edges are taken
   */
  public static List<LintFinding> check(RuleFile file, ExposedSeries exposed) {
    Recordings recordings = Recordings.of(file);
    List<LintFinding> findings = new ArrayList<>(FileChecks.check(file, recordings));
    for (RuleSource rule : file.rules()) {
      rule.fault().ifPresent(fault -> findings.add(unreadable(file, rule, fault)));
      rule.expression()
          .ifPresent(
              expression -> {
                LintedRule linted = new LintedRule(file, recordings, rule, expression, exposed);
                findings.addAll(SelectorChecks.check(linted));
                findings.addAll(QuantileChecks.check(linted));
                findings.addAll(ThresholdChecks.check(linted));
                findings.addAll(RatioChecks.check(linted));
                findings.addAll(PagingChecks.check(linted));
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
    return new LintFinding(
        fault.understood() ? Defect.SYNTAX : Defect.NOT_UNDERSTOOD,
        fault.understood() ? Severity.ERROR : Severity.NOTE,
        file.file(),
        rule.lineOf(fault.offset()),
        rule.name(),
        fault.message(),
        "");
  }
}
