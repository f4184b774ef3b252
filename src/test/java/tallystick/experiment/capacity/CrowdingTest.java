package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CrowdingTest {
  private static final Probe PROBE = new Probe(1, Probe.Purpose.NARROW, 10, 15, 600, 3);

  /** A Poisson schedule with requests of 1 to 99 tokens. */
  private static List<Crowding.Arrival> poisson(double perSecond, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Crowding.Arrival> arrivals = new ArrayList<>();
    double at = 0;
    while (true) {
      at -= Math.log(1 - random.nextDouble()) / perSecond;
      if (at >= PROBE.loadSeconds()) {
        return arrivals;
      }
      arrivals.add(new Crowding.Arrival(at, random.nextInt(1, 100)));
    }
  }

  private static double mean(double perSecond) {
    double sum = 0;
    for (int seed = 0; seed < 10; seed++) {
      sum += Crowding.of(PROBE, poisson(perSecond, seed), 0.01).factor() / 10;
    }
    return sum;
  }

  @Test
  void schedulesOfAnotherRateCountAsThatRate() {
    assertThat(mean(10)).isCloseTo(1, within(0.03));
    assertThat(mean(11)).isCloseTo(1.1, within(0.03));
    assertThat(mean(9)).isCloseTo(0.9, within(0.03));
  }

  @Test
  void aBurstCrowdsARunAndEvenArrivalsDoNot() {
    List<Crowding.Arrival> bursty = new ArrayList<>(poisson(10, 1));
    for (int i = 0; i < 100; i++) {
      bursty.add(new Crowding.Arrival(300 + i * 0.01, 50));
    }
    List<Crowding.Arrival> even = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      even.add(new Crowding.Arrival(i * 0.1, 50));
    }
    double usual = Crowding.of(PROBE, poisson(10, 1), 0.01).factor();

    assertThat(Crowding.of(PROBE, bursty, 0.01).factor()).isGreaterThan(usual + 0.02);
    assertThat(Crowding.of(PROBE, even, 0.01).factor()).isCloseTo(Math.exp(-0.2), within(1e-9));
  }

  @Test
  void theOrderOfTheRowsAndTheUnitOfWorkDoNotMatter() {
    List<Crowding.Arrival> arrivals = poisson(10, 2);
    Crowding once = Crowding.of(PROBE, arrivals, 0.01);
    Crowding other =
        Crowding.of(
            PROBE,
            arrivals.reversed().stream()
                .map(one -> new Crowding.Arrival(one.atSeconds(), 8 * one.tokens()))
                .toList(),
            0.01);

    assertThat(other.tokens()).isCloseTo(8 * once.tokens(), within(1e-6));
    assertThat(other.factor()).isCloseTo(once.factor(), within(0.01));
    assertThat(once.counted(10, once.tokens())).isCloseTo(10 * once.factor(), within(1e-9));
    assertThat(once.counted(10, 2 * once.tokens())).isCloseTo(5 * once.factor(), within(1e-9));
  }

  @Test
  void nothingIsKnownOfNoRequests() {
    assertThat(Crowding.of(PROBE, List.of(), 0.01)).isEqualTo(Crowding.UNKNOWN);
  }
}
