package tallystick.analysis.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.report.SampleAnalysis;

/** What decisions ask of the run of 240 requests. */
class RunFiguresTest {
  private final SampleAnalysis sample = new SampleAnalysis();

  @Test
  void tellsWhatTheAnalysisCounted() {
    RunFigures figures = RunFigures.of(sample.build());

    assertThat(figures.tokensPerSecond().orNaN()).isPositive();
    assertThat(figures.ttft().percentile(0.95).orNaN())
        .isGreaterThan(figures.ttft().percentile(0.5).orNaN());
    assertThat(figures.tpot().count()).isPositive();
    assertThat(figures.isStopped()).isFalse();
    assertThat(figures.usability()).isEqualTo(Usability.of(figures.analysis()));
    assertThat(figures.waiting()).isPresent();
    assertThat(figures.preemptions()).isPresent();
  }
}
