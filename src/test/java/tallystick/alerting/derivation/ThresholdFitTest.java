package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThresholdFitTest {
  @Test
  void aThresholdNeverLiesBelowWhatTheObjectiveAllows() {
    ThresholdFit fit = new ThresholdFit(0.009, 0.008, 0.0095);

    ThresholdFit kept = fit.notBelow(0.01);

    assertThat(kept.threshold()).isEqualTo(0.01);
    assertThat(kept.rounded().threshold()).isGreaterThanOrEqualTo(0.01);
  }

  @Test
  void aRoundedThresholdNeverDoesEither() {
    ThresholdFit fit = new ThresholdFit(0.0104, 0.002, 0.0109);

    assertThat(fit.notBelow(0.01).rounded().threshold()).isEqualTo(0.0104);
    assertThat(fit.notBelow(0.001).rounded().threshold()).isEqualTo(0.01);
  }
}
