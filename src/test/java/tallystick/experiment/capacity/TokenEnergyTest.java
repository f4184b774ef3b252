package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TokenEnergyTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static List<ProbeResult> probes(double[]... ratesAndJoules) {
    List<ProbeResult> probes = new ArrayList<>();
    for (double[] each : ratesAndJoules) {
      ProbeResult.Load load = new ProbeResult.Load(1, each[0], false, 1, -1, -1, -1, 40, each[1]);
      Probe probe = new Probe(probes.size() + 1, Probe.Purpose.NARROW, each[0], 5, 60, 1);
      probes.add(
          new ProbeResult(
              probe, 70, 100, 100, load, ProbeResult.Trust.TRUSTED, "", Crowding.UNKNOWN));
    }
    return probes;
  }

  @Test
  void runsNearTheRateTellAndTheirMedianIsTaken() {
    List<ProbeResult> probes =
        probes(
            new double[] {20, 9}, new double[] {46, 0.5}, new double[] {50, 0.4},
            new double[] {54, 0.9}, new double[] {50, 0}, new double[] {80, 0.1});

    TokenEnergy energy = TokenEnergy.of(probes, OptionalDouble.of(700), 50, 40).orElseThrow();

    assertThat(energy).isEqualTo(new TokenEnergy(0.5, 3));
    assertThat(energy.words())
        .isEqualTo(
            "0.500 J for an output token (measured at all GPUs that exporters show, median of"
                + " 3 runs near the proven rate)");
  }

  @Test
  void withoutAMeasurementThePowerThatWasGivenTells() {
    // 700 W over 50 x 40 tokens/s.
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), OptionalDouble.of(700), 50, 40))
        .hasValueSatisfying(
            energy ->
                assertThat(energy.words())
                    .isEqualTo("0.350 J for an output token (from the power given by --power)"));
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), NONE, 50, 40)).isEmpty();
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), OptionalDouble.of(700), 50, 0))
        .isEmpty();
  }
}
