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
      arrivals.add(new Crowding.Arrival(at, 100, random.nextInt(1, 100)));
    }
  }

  private static double mean(double perSecond) {
    double sum = 0;
    for (int seed = 0; seed < 10; seed++) {
      sum += Crowding.of(PROBE, poisson(perSecond, seed), 0.01).compute().factor() / 10;
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
      bursty.add(new Crowding.Arrival(300 + i * 0.01, 100, 50));
    }
    List<Crowding.Arrival> even = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      even.add(new Crowding.Arrival(i * 0.1, 100, 50));
    }
    double usual = Crowding.of(PROBE, poisson(10, 1), 0.01).compute().factor();

    assertThat(Crowding.of(PROBE, bursty, 0.01).compute().factor()).isGreaterThan(usual + 0.02);
    assertThat(Crowding.of(PROBE, even, 0.01).compute().factor())
        .isCloseTo(Math.exp(-0.2), within(1e-9));
  }

  @Test
  void theOrderOfTheRowsDoesNotMatter() {
    List<Crowding.Arrival> arrivals = poisson(10, 2);
    Crowding once = Crowding.of(PROBE, arrivals, 0.01);
    Crowding other = Crowding.of(PROBE, arrivals.reversed(), 0.01);

    assertThat(other.compute().factor()).isCloseTo(once.compute().factor(), within(1e-9));
    assertThat(other.cache().mean()).isCloseTo(once.cache().mean(), within(1e-3));
  }

  @Test
  void aRunOfLargerRequestsCountsAtALargerRate() {
    Crowding.Work run = new Crowding.Work(1.1, 60);

    assertThat(run.counted(10, 60)).isCloseTo(11, within(1e-9));
    assertThat(run.counted(10, 30)).isCloseTo(22, within(1e-9));
  }

  @Test
  void aFewLongAnswersTogetherFillTheCacheAndManyShortOnesDoNot() {
    List<Crowding.Arrival> few = new ArrayList<>(poisson(10, 1));
    List<Crowding.Arrival> many = new ArrayList<>(few);
    for (int i = 0; i < 160; i++) {
      many.add(new Crowding.Arrival(300 + i * 0.01, 100, 25));
    }
    for (int i = 0; i < 40; i++) {
      few.add(new Crowding.Arrival(300 + i * 0.04, 100, 130));
    }
    // 5,600 tokens to compute each time.
    Crowding ofFew = Crowding.of(PROBE, few, 0.01);
    Crowding ofMany = Crowding.of(PROBE, many, 0.01);

    assertThat(ofFew.compute().factor()).isLessThan(ofMany.compute().factor());
    assertThat(ofFew.cache().factor()).isGreaterThan(ofMany.cache().factor() + 0.01);
  }

  @Test
  void nothingIsKnownOfNoRequests() {
    assertThat(Crowding.of(PROBE, List.of(), 0.01)).isEqualTo(Crowding.UNKNOWN);
  }
}
