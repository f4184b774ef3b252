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
      ProbeResult.Load load = new ProbeResult.Load(
          1, each[0], false, 1, -1, -1, -1, -1, 40, each[1],
          each.length > 2 ? (int) each[2] : 0, each.length > 3 ? each[3] : 0, 0, 0);
      Probe probe = new Probe(probes.size() + 1, Probe.Purpose.NARROW, each[0], 5, 60, 1);
      probes.add(
          MadeProbes.result(
              probe,
              70,
              100,
              100,
              load,
              ProbeResult.Trust.TRUSTED,
              ""));
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

    assertThat(energy).isEqualTo(new TokenEnergy(0.5, 0, 3, 0));
    assertThat(energy.words())
        .isEqualTo(
            "0.500 J for an output token, n/a per token of a good request: some runs did not"
                + " count those"
                + " (measured at all GPUs that exporters show, median of 3 runs near the"
                + " proven rate)");
  }

  @Test
  void aTokenOfAGoodRequestBearsWhatTheOthersCost() {
    List<ProbeResult> probes =
        probes(
            new double[] {50, 0.4, 8, 0.8}, new double[] {50, 0.5, 8, 1},
            new double[] {50, 0.6, 8, 0.9});

    assertThat(TokenEnergy.of(probes, NONE, 50, 40).orElseThrow().words())
        .isEqualTo(
            "0.500 J for an output token, 0.500 J per token of a good request (measured at all 8"
                + " GPUs that exporters show, median of 3 runs near the proven rate)");
    // 700 W over 50 x 40 tokens/s, of which nine in ten are good.
    assertThat(
            TokenEnergy.of(
                    probes(new double[] {50, 0, 0, 0.9}), OptionalDouble.of(700), 50, 40)
                .orElseThrow()
                .words())
        .isEqualTo(
            "0.350 J for an output token, 0.389 J per token of a good request (from the power given"
                + " by --power)");
  }

  @Test
  void aTokenOfAGoodRequestIsNotPricedWhereARunDidNotCountThem() {
    List<ProbeResult> probes =
        probes(new double[] {50, 0.4, 8, 0.8}, new double[] {50, 0.6, 8, 0});

    assertThat(TokenEnergy.of(probes, NONE, 50, 40).orElseThrow().words())
        .isEqualTo(
            "0.500 J for an output token, n/a per token of a good request: some runs did not"
                + " count those"
                + " (measured at all 8 GPUs that exporters show, median of 2 runs near the"
                + " proven rate)");
  }

  @Test
  void theGpusAreNotToldWhereRunsSawOtherOnes() {
    List<ProbeResult> probes =
        probes(new double[] {50, 0.4, 8, 0}, new double[] {50, 0.5, 4, 0});

    assertThat(TokenEnergy.of(probes, NONE, 50, 40).orElseThrow().words())
        .contains("measured at all GPUs that exporters show");
  }

  @Test
  void withoutAMeasurementThePowerThatWasGivenTells() {
    // 700 W over 50 x 40 tokens/s.
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), OptionalDouble.of(700), 50, 40))
        .hasValueSatisfying(
            energy ->
                assertThat(energy.words())
                    .startsWith("0.350 J for an output token, n/a per token of a good")
                    .endsWith("(from the power given by --power)"));
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), NONE, 50, 40)).isEmpty();
    assertThat(TokenEnergy.of(probes(new double[] {50, 0}), OptionalDouble.of(700), 50, 0))
        .isEmpty();
  }
}
