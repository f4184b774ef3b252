package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.FirstRules;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.writing.MarkdownWriter;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class MarkdownWriterTest {
  @Test
  void beginsWithScenarioEngineStateAndVerdict() {
    assertThat(text(SampleAnalysis.of()))
        .startsWith("# kv-pressure · simulated engine · complete · reconciled with tolerance\n");
  }

  @Test
  void givesMissingFiguresTheirReasonInPlace() {
    assertThat(text(SampleAnalysis.of())).contains("| n/a (n=240, need 368) |");
  }

  @Test
  void keepsEveryTableRowAsWideAsItsHead() {
    List<String> lines = text(SampleAnalysis.of()).lines().toList();
    int columns = 0;
    for (String line : lines) {
      int bars = line.replace("\\|", "").replaceAll("[^|]", "").length();
      assertThat(bars == 0 || columns == 0 || bars == columns).as(line).isTrue();
      columns = bars;
    }
  }

  @Test
  void letsNoTextOfStrangersBecomeMarkup() {
    String evil = "<img src=x> | [a](b)\n# heading `code`";
    var run = SampleAnalysis.facts("chat", evil, State.COMPLETED, "", Manifest.Source.REAL);
    assertThat(text(new SampleAnalysis().withRun(run).build()))
        .doesNotContain("<img")
        .doesNotContain("\n# heading")
        .contains("&lt;img src=x> \\| \\[a\\](b) # heading \\`code\\`");
  }

  private static String text(RunAnalysis analysis) {
    return MarkdownWriter.text(RunDocument.of(analysis, FirstRules.section(analysis)));
  }
}
