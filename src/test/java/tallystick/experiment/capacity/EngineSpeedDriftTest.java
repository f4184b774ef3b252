package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineSpeedDriftTest {
  private static final double[] STEPS = {0.008, 0.01, 0.0125};

  /** Probes whose steps take so many seconds. */
  private static List<ArrivalBurstinessCorrection> probes(double... stepSeconds) {
    return Arrays.stream(stepSeconds)
        .mapToObj(
            step ->
                new ArrivalBurstinessCorrection(
                    1, new ArrivalBurstinessCorrection.Request(100, 50), 10,
                    new InferredEngineModel.Costs(step, 0, 0, 0, 0, 0), List.of()))
        .toList();
  }

  @Test
  void aSlowerProbeCountsAtALargerRate() {
    EngineSpeedDrift pace = EngineSpeedDrift.of(probes(STEPS));

    assertThat(pace.factor(0)).isCloseTo(0.8, within(1e-9));
    assertThat(pace.factor(1)).isCloseTo(1, within(1e-9));
    assertThat(pace.factor(2)).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void theSlowestProbeStandsBesideTheFastest() {
    assertThat(EngineSpeedDrift.of(probes(STEPS)).slowestOverFastest())
        .isCloseTo(1.5625, within(1e-9));
    assertThat(EngineSpeedDrift.STEADY.slowestOverFastest()).isEqualTo(1);
  }

  @Test
  void largerRequestsCountAtALargerRate() {
    InferredEngineModel.Costs costs = new InferredEngineModel.Costs(0.01, 0, 0, 0, 0, 0);
    EngineSpeedDrift pace =
        EngineSpeedDrift.of(
            List.of(
                new ArrivalBurstinessCorrection(
                    1, new ArrivalBurstinessCorrection.Request(100, 60), 10, costs, List.of()),
                new ArrivalBurstinessCorrection(
                    1, new ArrivalBurstinessCorrection.Request(300, 40), 10, costs, List.of())));

    assertThat(pace.factor(0)).isCloseTo(1.2, within(1e-9));
    assertThat(pace.factor(1)).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void aSteadyEngineShiftsAndWidensNothing() {
    assertThat(EngineSpeedDrift.of(probes(0.01, 0.01, 0.01)).shift(20)).isZero();
    assertThat(EngineSpeedDrift.of(probes(0.01, 0.01, 0.01)).apart(0.95)).isZero();
    assertThat(EngineSpeedDrift.STEADY.shift(20)).isZero();
    assertThat(EngineSpeedDrift.STEADY.apart(0.95)).isZero();
  }

  @Test
  void anEngineWhoseSpeedMovesHoldsLessAndIsKnownLessWell() {
    double variance = Math.log(1.25) * Math.log(1.25);

    assertThat(EngineSpeedDrift.of(probes(STEPS)).shift(2)).isCloseTo(variance, within(1e-9));
    assertThat(EngineSpeedDrift.of(probes(STEPS)).shift(200)).isEqualTo(0.2);
    // Student's t of two degrees of freedom.
    assertThat(EngineSpeedDrift.of(probes(STEPS)).apart(0.95))
        .isCloseTo(4.303 * Math.sqrt(variance / 3), within(1e-4));
  }
}
