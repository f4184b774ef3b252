package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final double[] STEPS = {0.008, 0.01, 0.0125};

  /** Probes whose steps take so many seconds. */
  private static List<Crowding> probes(double... stepSeconds) {
    return Arrays.stream(stepSeconds)
        .mapToObj(
            step ->
                new Crowding(
                    1, new Crowding.Request(100, 50), 10,
                    new ProbedEngine.Costs(step, 0, 0, 0, 0, 0), List.of()))
        .toList();
  }

  @Test
  void aSlowerProbeCountsAtALargerRate() {
    Pace pace = Pace.of(probes(STEPS));

    assertThat(pace.factor(0)).isCloseTo(0.8, within(1e-9));
    assertThat(pace.factor(1)).isCloseTo(1, within(1e-9));
    assertThat(pace.factor(2)).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void theSlowestProbeStandsBesideTheFastest() {
    assertThat(Pace.of(probes(STEPS)).slowestOverFastest()).isCloseTo(1.5625, within(1e-9));
    assertThat(Pace.STEADY.slowestOverFastest()).isEqualTo(1);
  }

  @Test
  void largerRequestsCountAtALargerRate() {
    ProbedEngine.Costs costs = new ProbedEngine.Costs(0.01, 0, 0, 0, 0, 0);
    Pace pace =
        Pace.of(
            List.of(
                new Crowding(1, new Crowding.Request(100, 60), 10, costs, List.of()),
                new Crowding(1, new Crowding.Request(300, 40), 10, costs, List.of())));

    assertThat(pace.factor(0)).isCloseTo(1.2, within(1e-9));
    assertThat(pace.factor(1)).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void aSteadyEngineShiftsAndWidensNothing() {
    assertThat(Pace.of(probes(0.01, 0.01, 0.01)).shift(20)).isZero();
    assertThat(Pace.of(probes(0.01, 0.01, 0.01)).apart(0.95)).isZero();
    assertThat(Pace.STEADY.shift(20)).isZero();
    assertThat(Pace.STEADY.apart(0.95)).isZero();
  }

  @Test
  void anEngineWhoseSpeedMovesHoldsLessAndIsKnownLessWell() {
    double variance = Math.log(1.25) * Math.log(1.25);

    assertThat(Pace.of(probes(STEPS)).shift(2)).isCloseTo(variance, within(1e-9));
    assertThat(Pace.of(probes(STEPS)).shift(200)).isEqualTo(0.2);
    // Student's t of two degrees of freedom.
    assertThat(Pace.of(probes(STEPS)).apart(0.95))
        .isCloseTo(4.303 * Math.sqrt(variance / 3), within(1e-4));
  }
}
