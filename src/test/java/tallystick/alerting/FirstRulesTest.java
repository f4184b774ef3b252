package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.SampleAnalysis;
import tallystick.runrecord.RecordReader;

class FirstRulesTest {
  @Test
  void countsTheStepsOfTheRunItRefuses() throws IOException {
    RunAnalysis sample = Analyzer.analyze(RecordReader.open(Path.of("reports/sample")));
    long healthy = sample.phases().stream().filter(one -> one.judgement().isMet()).count();

    List<RefusedAlert> proposals = FirstRules.refusals(sample);

    assertThat(proposals).hasSize(3);
    RefusedAlert first = (RefusedAlert) proposals.get(0);
    assertThat(first.code()).isEqualTo(RefusalCode.NO_HEALTHY_WINDOW);
    assertThat(first.missing())
        .isEqualTo(
            "%s healthy of %s steps in this run, need >= 2"
                .formatted(healthy, sample.phases().size()));
  }

  /** Both sides counted the same, and the client was late. */
  @Test
  void aSaturatedClientIsNotSaidToDisagreeWithTheEngine() {
    SampleAnalysis late = new SampleAnalysis();
    late.findings =
        List.of(new Finding(Finding.Code.CLIENT_SATURATED, "The client was late.", List.of(), ""));
    assertThat(FirstRules.refusals(late.build()))
        .hasSize(3)
        .allSatisfy(
            refused -> {
              assertThat(refused.code().plain()).doesNotContain("agree");
              assertThat(refused.missing())
                  .isEqualTo("0 of 1 runs can be used: The client was late.");
            });
  }
}
