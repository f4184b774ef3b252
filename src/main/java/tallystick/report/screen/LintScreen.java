package tallystick.report.screen;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.alerting.lint.LintFinding;
import tallystick.alerting.lint.LintReport;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/** The first screen of a lint: how many defects, and the gravest of them. */
public final class LintScreen {
  private LintScreen() {}

  /**
   * The screen.
   *
   * @param files what was read, as the user named it
   * @param rules how many rules stand there
   * @param against where names and edges are from
   * @param room how many findings to show
   */
  public static Screen of(
      List<String> files, int rules, String against, List<LintFinding> findings, int room) {
    Screen screen =
        new Screen(
            "lint", String.join(" ", files), Counted.of(rules, "rule", "rules"), against);
    String summary = LintReport.summary(findings);
    if (findings.stream().anyMatch(each -> each.severity() == LintFinding.Severity.ERROR)) {
      screen.bad("VERDICT", summary + ": a rule with an error cannot do what it says");
    } else if (!findings.isEmpty()) {
      screen.caution("VERDICT", summary);
    } else {
      screen.good("VERDICT", "nothing known to be wrong");
    }
    List<LintFinding> shown =
        findings.stream()
            .sorted(Comparator.comparing(LintFinding::severity))
            .limit(room)
            .toList();
    shown.forEach(each -> show(screen, each));
    if (shown.size() < findings.size()) {
      screen.plain("", "and " + (findings.size() - shown.size()) + " more");
    }
    return findings.isEmpty()
        ? screen.next(
            "./tally backtest " + PlainText.argument(files.getFirst())
                + " reports/RUN  # when it would have fired")
        : screen.next(
            "./tally lint "
                + files.stream().map(PlainText::argument).collect(Collectors.joining(" "))
                + " --verbose  # and what to write instead");
  }

  private static void show(Screen screen, LintFinding each) {
    String text =
        each.file() + ":" + each.line() + " " + (each.rule().isEmpty() ? "" : each.rule() + ": ")
            + each.defect().word() + ": " + each.why();
    switch (each.severity()) {
      case ERROR -> screen.bad("ERROR", text);
      case WARNING -> screen.caution("WARNING", text);
      case NOTE -> screen.plain("NOTE", text);
    }
  }
}
