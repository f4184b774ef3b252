package tallystick.analysis.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.report.SampleAnalysis;

/** What decisions ask of the run of 240 requests. */
class RunFiguresTest {
  private final SampleAnalysis sample = new SampleAnalysis();

  @Test
  void tellsWhatTheAnalysisCounted() {
    RunFigures figures = RunFigures.of(sample.build());

    assertThat(figures.planned()).isEqualTo(240);
    assertThat(figures.completed()).isEqualTo(238);
    assertThat(figures.failed()).isEqualTo(2);
    assertThat(figures.completedPerSecond().orNaN()).isPositive();
    assertThat(figures.tokensPerSecond().orNaN()).isPositive();
    assertThat(figures.ttft().percentile(0.95).orNaN())
        .isGreaterThan(figures.ttft().percentile(0.5).orNaN());
    assertThat(figures.tpot().count()).isPositive();
    assertThat(figures.isStopped()).isFalse();
    assertThat(figures.usability()).isEqualTo(Usability.of(figures.analysis()));
    assertThat(figures.waiting()).isPresent();
    assertThat(figures.preemptions()).isPresent();
    assertThat(figures.good().judged()).isNotNegative();
  }

  @Test
  void namesTheObjectiveThatFewestRequestsKept() {
    ObjectiveResult any = sample.objectives.getFirst();
    sample.objectives = List.of(kept(any, 1, 100), kept(any, 0.5, 100), kept(any, 0.6, 100));
    assertThat(RunFigures.of(sample.build()).brokenMost()).contains(sample.objectives.get(1));

    sample.objectives = List.of(kept(any, 1, 100), kept(any, 0, 0));
    assertThat(RunFigures.of(sample.build()).brokenMost()).isEmpty();
  }

  private static ObjectiveResult kept(ObjectiveResult like, double share, long judged) {
    return new ObjectiveResult(
        like.objective(), Math.round(share * judged), judged, like.low(), like.high(),
        like.verdict(), like.strength(), like.share(), like.evidence());
  }
}
