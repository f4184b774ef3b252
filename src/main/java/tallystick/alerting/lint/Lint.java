package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/**
 * What was found wrong with files of rules and dashboards.
 *
 * @param read the files
 * @param against where names and edges are from; empty where no target was looked at
 * @param findings file by file, by line
 * @param renamed metrics that were given their present name in the files, each with it
 */
public record Lint(
    List<RuleFile> read, String against, List<LintFinding> findings,
    SortedMap<String, String> renamed)
    implements Decision {

  /** No screen shows more; those behind give way together, and not one by one. */
  private static final int MOST_SHOWN = 24;

  /**
   * Every finding, for programs.
   *
   * @param findings file by file, by line
   */
  public record Findings(List<LintFinding> findings) {}

  public Lint {
    read = List.copyOf(read);
    findings = List.copyOf(findings);
  }

  @Override
  public Answer answer(Invocation asked) {
    boolean fails = count(Severity.ERROR) > 0;
    List<String> files = read.stream().map(RuleFile::file).toList();
    String typed = files.stream().map(PlainText::argument).collect(Collectors.joining(" "));
    Answer.Builder answer =
        Answer.of(
            "lint", String.join(" ", files), extent(),
            "against " + (against.isEmpty() ? "the usual names of vLLM and SGLang" : against));
    List<String> mended =
        renamed.entrySet().stream().map(e -> e.getKey() + " is now " + e.getValue()).toList();
    answer.say(Tone.GOOD, "MENDED", mended, 3, MOST_SHOWN, Block.Rest.of("and %d more"));
    if (findings.isEmpty()) {
      answer
          .verdict(
              rules() + queries() == 0 ? Tone.CAUTION : Tone.GOOD,
              rules() + queries() == 0
                  ? "no PromQL in it, so there was nothing to check"
                  : "nothing known to be wrong");
      onward(typed).ifPresent(answer::next);
    } else {
      answer
          .verdict(
              fails ? Tone.BAD : Tone.CAUTION,
              fails ? summary() + ": " + meaning() : summary())
          .block(new Block.Items(false, gravest(), Block.Rest.of("and %d more")))
          .next("./tally lint " + typed + " --verbose  # and what to write instead");
    }
    return answer
        .detail(Section.of("findings", "", account()))
        .figures("", new Findings(findings))
        .comesTo(fails ? AnswerStatus.FAILS : AnswerStatus.GOOD);
  }

  /** What was looked at, and what was not. */
  private String extent() {
    List<String> extent = new ArrayList<>();
    int others = read.stream().mapToInt(file -> file.leftOut().otherSources()).sum();
    int templates = read.stream().mapToInt(file -> file.leftOut().templates()).sum();
    boolean isDashboard = queries() + others + templates > 0;
    if (rules() > 0 || !isDashboard) {
      extent.add(Counted.of(rules(), "rule", "rules"));
    }
    if (isDashboard) {
      extent.add(Counted.of(queries(), "query", "queries"));
    }
    if (others > 0) {
      extent.add("skipped " + others + " that are not PromQL");
    }
    if (templates > 0) {
      extent.add("skipped " + templates + " whose variables are not filled in");
    }
    return String.join(", ", extent);
  }

  private long rules() {
    return read.stream().mapToLong(file -> file.rules().size()).sum() - queries();
  }

  private long queries() {
    return read.stream()
        .flatMap(file -> file.rules().stream())
        .filter(RuleSource::isQuery)
        .count();
  }

  private String meaning() {
    return queries() > 0
        ? "a panel or rule with an error does not show what it says"
        : "a rule with an error cannot do what it says";
  }

  private Optional<String> onward(String typed) {
    if (rules() == 0) {
      return against.isEmpty()
          ? Optional.of(
              "./tally lint " + typed + " --target URL  # against what your engine exposes")
          : Optional.empty();
    }
    return read.stream()
        .filter(file -> file.rules().stream().anyMatch(rule -> !rule.isQuery()))
        .map(
            file ->
                "./tally backtest " + PlainText.argument(file.file())
                    + " reports/RUN  # when it would have fired")
        .findFirst();
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
      String text = each.file() + ":" + each.line() + " " + said(each);
      Mark mark = new Mark(tone(each.severity()), each.severity().name());
      int rank = Math.min(items.size() + 1, MOST_SHOWN);
      items.add(new Block.Item(mark, text, "", List.of(), rank));
    }
    return items;
  }

  private static String said(LintFinding each) {
    String rule = each.rule().isEmpty() ? "" : each.rule() + ": ";
    return rule + each.defect().code() + ": " + each.why();
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
      String place = each.file() + ":" + each.line() + ": " + each.severity().code() + ": ";
      blocks.add(new Block.Text(Tone.PLAIN, place + said(each)));
      if (!each.corrected().isEmpty()) {
        blocks.add(new Block.Text(Tone.PLAIN, "write: " + each.corrected().strip()));
      }
    }
    blocks.add(new Block.Text(Tone.PLAIN, summary()));
    return blocks;
  }
}
