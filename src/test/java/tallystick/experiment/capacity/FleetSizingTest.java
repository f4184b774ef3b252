package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FleetSizingTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @Test
  void aFleetCarriesThePeakWithOneReplicaDown() {
    // 500 / 64 = 7.8: 8 replicas carry 512; 64 x 100 tokens/s are 23.04 million an hour for 2.50.
    FleetSizing sizing =
        new FleetSizing(OptionalDouble.of(500), OptionalDouble.of(2.5), NONE, Optional.empty());

    assertThat(sizing.words(64, 100))
        .isEqualTo(
            "8 carry a peak of 500/s with 2 % headroom; 9 if one can fail; 1 M output tokens cost"
                + " 0.109 at 64/s, 0.125 at the peak with the spare replica");
    assertThat(sizing.figures(64, 100))
        .returns(8L, FleetSizing.Figures::replicas)
        .returns(9L, FleetSizing.Figures::replicasWithOneDown)
        .satisfies(
            figures -> assertThat(figures.costPerMillionOutputTokens()).isPositive());
  }

  @Test
  void aPeakThatJustFitsTakesNoReplicaMore() {
    assertThat(new FleetSizing(OptionalDouble.of(192), NONE, NONE, Optional.empty()).figures(64, 0))
        .returns(3L, FleetSizing.Figures::replicas)
        .returns(null, FleetSizing.Figures::outputTokensPerRequest);
  }

  @Test
  void whatNobodyCountedHasNoCost() {
    assertThat(new FleetSizing(NONE, OptionalDouble.of(2), NONE, Optional.empty()).words(64, 0))
        .startsWith("cost n/a");
    assertThatThrownBy(() -> new FleetSizing(OptionalDouble.of(0), NONE, NONE, Optional.empty()))
        .hasMessageContaining("--peak");
  }
}
