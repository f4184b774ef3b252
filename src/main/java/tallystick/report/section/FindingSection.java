package tallystick.report.section;

import java.util.List;
import tallystick.analysis.result.Finding;
import tallystick.answer.Block;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Wording;

/** What the analysis found wrong or worth knowing, with evidence and remedy. */
public final class FindingSection {
  private FindingSection() {}

  public static Section of(List<Finding> findings) {
    List<Block> blocks =
        findings.isEmpty()
            ? List.of()
            : List.of(new Block.Items(false, findings.stream().map(FindingSection::item).toList()));
    return Section.of("findings", "Findings", blocks);
  }

  private static Block.Item item(Finding finding) {
    Tone tone =
        switch (finding.severity()) {
          case INVALID -> Tone.BAD;
          case WARNING -> Tone.CAUTION;
          case NOTE -> Tone.MUTED;
        };
    return new Block.Item(
        new Mark(tone, Wording.severity(finding.severity())),
        finding.text(),
        "",
        List.of(
            new Block.Argument("", finding.evidence()),
            new Block.Argument("What to do", List.of(finding.remedy()))));
  }
}
