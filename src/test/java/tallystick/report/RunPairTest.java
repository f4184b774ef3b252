package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.RunAnalysis;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class RunPairTest {
  private static final RunAnalysis OTHER = other();

  @Test
  void namesBothRunsAndGivesNoVerdict() {
    String text = new RunPair(SampleAnalysis.of(), OTHER).text(false);
    assertThat(text)
        .contains("A 20261121-014203-kv-pressure kv-pressure [simulated engine] complete")
        .contains("B 20261121-014203-kv-pressure kv-pressure [real server] interrupted")
        .contains("No verdict");
  }

  @Test
  void listsOnlyWhatDiffers() {
    List<String> lines = new RunPair(SampleAnalysis.of(), OTHER).text(false).lines().toList();
    int from = lines.indexOf("Settings and versions that differ");
    int to = lines.indexOf("Load, engine, objectives");
    assertThat(lines.subList(from, to))
        .anyMatch(line -> line.matches("model +sim-8b +llama-8b"))
        .anyMatch(line -> line.matches("engine +simulated engine +real server"))
        .noneMatch(line -> line.startsWith("seed"));
  }

  @Test
  void putsBothRunsUnderEachOtherInOneUnit() {
    List<String> lines = new RunPair(SampleAnalysis.of(), OTHER).text(false).lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.matches("TTFT +engine +A +s +240 .*\\(1, 2\\.5].*"))
        .anyMatch(line -> line.matches("TTFT +client, intended +B +s .*"));
  }

  @Test
  void fitsTheTerminal() {
    assertThat(new RunPair(SampleAnalysis.of(), OTHER).text(false).lines())
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void writesEachGridAsATable() {
    assertThat(new RunPair(SampleAnalysis.of(), OTHER).markdown())
        .contains("## Settings and versions that differ")
        .contains("## Ledgers")
        .contains("n/a (n=240, need 368)");
  }

  private static RunAnalysis other() {
    return new SampleAnalysis()
        .oneSided("run with --no-scrape")
        .withRun(
            SampleAnalysis.facts(
                "kv-pressure", "llama-8b", State.INTERRUPTED, "Ctrl-C", Manifest.Source.REAL))
        .build();
  }
}
