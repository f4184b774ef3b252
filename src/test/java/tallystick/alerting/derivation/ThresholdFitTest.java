package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThresholdFitTest {
  private static final LabelledValues VALUES =
      new LabelledValues(new double[] {0, 0.001, 0.008}, new double[] {0.0095, 0.03, 0.2});

  @Test
  void aThresholdNeverLiesBelowWhatTheObjectiveAllows() {
    ThresholdFit fit = new ThresholdFit(0.009, 0.008, 0.0095, 1, 0);

    ThresholdFit kept = fit.notBelow(0.01, VALUES);

    assertThat(kept.threshold()).isEqualTo(0.01);
    assertThat(kept.rounded().threshold()).isGreaterThanOrEqualTo(0.01);
    assertThat(kept.recall()).isEqualTo(2.0 / 3);
    assertThat(kept.falseAlarms()).isZero();
  }

  @Test
  void aRoundedThresholdNeverDoesEither() {
    ThresholdFit fit = new ThresholdFit(0.0104, 0.002, 0.0109, 1, 0);

    assertThat(fit.notBelow(0.01, VALUES).rounded().threshold()).isEqualTo(0.0104);
    assertThat(fit.notBelow(0.001, VALUES).rounded().threshold()).isEqualTo(0.01);
  }
}
