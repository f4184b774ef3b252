package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Strength;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

class MetricTextTest {
  /** 769 tokens/s against 501: each token takes 1.53 times as long, and a third of them is gone. */
  @Test
  void aRateThatFellReadsAsAFall() {
    assertThat(text(ComparedMetric.OUTPUT_RATE).size(0.535)).isEqualTo("-35 %");
    assertThat(text(ComparedMetric.GOODPUT).size(-0.5)).isEqualTo("+100 %");
  }

  @Test
  void aTimeThatGrewReadsAsARise() {
    assertThat(text(ComparedMetric.TTFT_P95).size(0.535)).isEqualTo("+54 %");
  }

  @Test
  void aShareReadsInPercentagePoints() {
    assertThat(text(ComparedMetric.COMPLETED).size(0.05)).isEqualTo("-5 pp");
  }

  private static MetricText text(ComparedMetric metric) {
    return new MetricText(
        new Judged(
            metric, Verdict.REGRESSED, Strength.SURE, 0.05, 769, 501,
            new Regression.Effects(0.535, 0.25, 0.89), 0.001, 4, 0.1, 0, -1, true, ""));
  }
}
