package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Outcome;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/**
 * What was found wrong with rule files.
 *
 * @param files what was read, as the user named it
 * @param rules how many rules stand there
 * @param against where names and edges are from
 * @param findings file by file, by line
 */
public record Lint(List<String> files, int rules, String against, List<LintFinding> findings)
    implements Decision {

  /**
   * Every finding, for programs.
   *
   * @param findings file by file, by line
   */
  public record Findings(List<LintFinding> findings) {}

  public Lint {
    files = List.copyOf(files);
    findings = List.copyOf(findings);
  }

  @Override
  public Answer answer(Invocation asked) {
    boolean fails = count(Severity.ERROR) > 0;
    String typed = files.stream().map(PlainText::argument).collect(Collectors.joining(" "));
    Answer.Builder answer =
        Answer.of(
            "lint", String.join(" ", files), Counted.of(rules, "rule", "rules"), against);
    if (findings.isEmpty()) {
      answer
          .verdict(Tone.GOOD, "nothing known to be wrong")
          .next(
              "./tally backtest " + PlainText.argument(files.getFirst())
                  + " reports/RUN  # when it would have fired");
    } else {
      answer
          .verdict(
              fails ? Tone.BAD : Tone.CAUTION,
              fails ? summary() + ": a rule with an error cannot do what it says" : summary())
          .block(new Block.Items(false, gravest(), Block.Rest.of("and %d more")))
          .next("./tally lint " + typed + " --verbose  # and what to write instead");
    }
    return answer
        .detail(Section.of("findings", "", account()))
        .figures("", new Findings(findings))
        .comesTo(fails ? Outcome.FAILS : Outcome.GOOD);
  }

  /** How many of each severity, for example {@code 1 error, 2 warnings, 0 notes}. */
  private String summary() {
    return Counted.of(count(Severity.ERROR), "error", "errors") + ", "
        + Counted.of(count(Severity.WARNING), "warning", "warnings") + ", "
        + Counted.of(count(Severity.NOTE), "note", "notes");
  }

  private long count(Severity severity) {
    return findings.stream().filter(each -> each.severity() == severity).count();
  }

  /** Each may give way to a graver one. */
  private List<Block.Item> gravest() {
    List<LintFinding> sorted =
        findings.stream().sorted(Comparator.comparing(LintFinding::severity)).toList();
    List<Block.Item> items = new ArrayList<>();
    for (LintFinding each : sorted) {
      String text =
          each.file() + ":" + each.line() + " "
              + (each.rule().isEmpty() ? "" : each.rule() + ": ") + each.defect().word() + ": "
              + each.why();
      Mark mark = new Mark(tone(each.severity()), each.severity().name());
      items.add(new Block.Item(mark, text, "", List.of(), items.size() + 1));
    }
    return items;
  }

  private static Tone tone(Severity severity) {
    return switch (severity) {
      case ERROR -> Tone.BAD;
      case WARNING -> Tone.CAUTION;
      case NOTE -> Tone.PLAIN;
    };
  }

  /** Each finding with what to write instead, then how many there are. */
  private List<Block> account() {
    List<Block> blocks = new ArrayList<>();
    for (LintFinding each : findings) {
      blocks.add(
          new Block.Text(
              Tone.PLAIN,
              each.file() + ":" + each.line() + ": " + each.severity().word() + ": "
                  + (each.rule().isEmpty() ? "" : each.rule() + ": ") + each.defect().word() + ": "
                  + each.why()));
      if (!each.corrected().isEmpty()) {
        blocks.add(new Block.Text(Tone.PLAIN, "write: " + each.corrected().strip()));
      }
    }
    blocks.add(new Block.Text(Tone.PLAIN, summary()));
    return blocks;
  }
}
