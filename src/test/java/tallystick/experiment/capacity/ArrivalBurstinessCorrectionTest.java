package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.experiment.JointObjective;
import tallystick.scenario.Objective;

class ArrivalBurstinessCorrectionTest {
  private static final Probe PROBE = new Probe(1, Probe.Purpose.NARROW, 10, 15, 300, 3);

  /** Eight at once take 10 ms a step: 16 requests of 50 tokens each second. */
  private static final InferredEngineModel ENGINE =
      new InferredEngineModel(
          new InferredEngineModel.Costs(0.01, 1e-6, 0, 0, 0, 0),
          8,
          2048,
          Double.POSITIVE_INFINITY,
          16);

  private static final JointObjective OBJECTIVE =
      JointObjective.of(
          List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.99, "")), OptionalDouble.empty());

  /** A Poisson schedule with requests of 1 to 99 tokens. */
  private static List<ArrivedRequest> poisson(double perSecond, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ArrivedRequest> arrivals = new ArrayList<>();
    double at = 0;
    while (true) {
      at -= Math.log(1 - random.nextDouble()) / perSecond;
      if (at >= PROBE.loadSeconds()) {
        return arrivals;
      }
      arrivals.add(new ArrivedRequest(at, 0, "", 100, 0, random.nextInt(1, 100)));
    }
  }

  /** On engines that take turns, each so many times as slow. */
  private static double[] used(List<ArrivedRequest> arrivals, int engines, double slowness) {
    double[] used = new double[arrivals.size()];
    for (int engine = 0; engine < engines; engine++) {
      int of = engine;
      int[] places =
          IntStream.range(0, used.length).filter(i -> arrivals.get(i).engine() == of).toArray();
      List<ArrivedRequest> its = Arrays.stream(places).mapToObj(arrivals::get).toList();
      new StepQueueSimulator(
              ENGINE,
              (i, first, last, gap) ->
                  used[places[i]] = slowness * (first - its.get(i).atSeconds()) / 0.2)
          .play(its);
    }
    return used;
  }

  private static ArrivalBurstinessCorrection of(List<ArrivedRequest> arrivals, double[] used) {
    return ArrivalBurstinessCorrection.of(
        new ArrivalBurstinessCorrection.Played(PROBE, arrivals, used, ENGINE, 1, OBJECTIVE));
  }

  private static ArrivalBurstinessCorrection of(List<ArrivedRequest> arrivals) {
    return of(arrivals, used(arrivals, 1, 1));
  }

  private static double mean(double perSecond) {
    double sum = 0;
    for (int seed = 0; seed < 10; seed++) {
      sum += of(poisson(perSecond, seed)).factor() / 10;
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
    List<ArrivedRequest> bursty = new ArrayList<>(poisson(10, 1));
    for (int i = 0; i < 100; i++) {
      bursty.add(new ArrivedRequest(200 + i * 0.01, 0, "", 100, 0, 50));
    }
    bursty.sort((one, other) -> Double.compare(one.atSeconds(), other.atSeconds()));
    List<ArrivedRequest> even = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      even.add(new ArrivedRequest(i * 0.1, 0, "", 100, 0, 50));
    }

    assertThat(of(bursty).factor()).isGreaterThan(of(poisson(10, 1)).factor() + 0.02);
    assertThat(of(even).factor()).isCloseTo(Math.exp(-0.2), within(1e-9));
  }

  /** The costs come from the probe, but nothing says that they are all that it took. */
  @Test
  void anEngineThatIsSlowerThanItsCostsSayIsAsCrowded() {
    List<ArrivedRequest> arrivals = poisson(11, 4);
    double factor = of(arrivals).factor();

    assertThat(of(arrivals, used(arrivals, 1, 1.3)).factor()).isCloseTo(factor, within(0.02));
  }

  /** Of requests that two targets take in these turns, the mean factor of ten schedules. */
  private static double meanOfTurns(double perSecond, int... turns) {
    Probe probe = new Probe(1, Probe.Purpose.NARROW, perSecond, 15, 300, 3);
    double mean = 0;
    for (int seed = 0; seed < 10; seed++) {
      List<ArrivedRequest> arrivals = new ArrayList<>();
      for (ArrivedRequest one : poisson(perSecond, seed)) {
        arrivals.add(one.at(one.atSeconds(), turns[arrivals.size() % turns.length]));
      }
      double[] used = used(arrivals, 2, 1);
      mean +=
          ArrivalBurstinessCorrection.of(
                      new ArrivalBurstinessCorrection.Played(
                          probe, arrivals, used, ENGINE, 2, OBJECTIVE))
                  .factor()
              / 10;
    }
    return mean;
  }

  @Test
  void targetsThatTakeTurnsAreCrowdedEachByItself() {
    assertThat(meanOfTurns(20, 0, 1)).isCloseTo(1, within(0.03));
  }

  @Test
  void aTargetOfMoreWeightIsMoreCrowdedInAUsualScheduleToo() {
    assertThat(meanOfTurns(13.3, 0, 0, 1, 0)).isCloseTo(1, within(0.03));
  }

  @Test
  void theOrderOfTheRowsDoesNotMatter() {
    List<ArrivedRequest> arrivals = poisson(10, 2);
    double[] used = used(arrivals, 1, 1);
    double[] reversed = used.clone();
    Arrays.setAll(reversed, i -> used[used.length - 1 - i]);

    assertThat(of(arrivals.reversed(), reversed)).isEqualTo(of(arrivals, used));
  }

  @Test
  void aServerThatIsNoPictureOfTheEngineTellsNothing() {
    List<ArrivedRequest> arrivals = poisson(11, 4);

    assertThat(of(arrivals, used(arrivals, 1, 3))).isEqualTo(ArrivalBurstinessCorrection.UNKNOWN);
    assertThat(of(arrivals, used(arrivals, 1, 0.3))).isEqualTo(ArrivalBurstinessCorrection.UNKNOWN);
  }

  /** One request in ten has a limit: the others crowd it, but nobody judges them. */
  @Test
  void requestsThatNoLimitIsForAreNotJudged() {
    JointObjective ofRare =
        JointObjective.of(
            List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.95, "rare")),
            OptionalDouble.empty());
    double mean = 0;
    for (int seed = 0; seed < 10; seed++) {
      List<ArrivedRequest> arrivals = new ArrayList<>();
      for (ArrivedRequest one : poisson(11, seed)) {
        String of = arrivals.size() % 10 == 0 ? "rare" : "usual";
        arrivals.add(new ArrivedRequest(one.atSeconds(), 0, of, 100, 0, one.outputTokens()));
      }
      double[] all = used(arrivals, 1, 1);
      double[] judged =
          IntStream.range(0, all.length)
              .filter(i -> i % 10 == 0)
              .mapToDouble(i -> all[i])
              .toArray();
      ArrivalBurstinessCorrection crowding =
          ArrivalBurstinessCorrection.of(
              new ArrivalBurstinessCorrection.Played(PROBE, arrivals, judged, ENGINE, 1, ofRare));
      assertThat(crowding.isKnown()).isTrue();
      mean += crowding.factor() / 10;
    }

    assertThat(mean).isCloseTo(1.1, within(0.05));
  }

  @Test
  void anEngineThatIsHardlyUsedHasAFactorToo() {
    List<ArrivedRequest> tiny = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      tiny.add(new ArrivedRequest(i * 0.1, 0, "", 0, 0, 1));
    }

    assertThat(of(tiny).factor()).isBetween(0.8, 1.25);
    assertThat(of(poisson(0.2, 1)).factor()).isBetween(0.8, 1.25);
  }

  @Test
  void nothingIsKnownOfNoRequests() {
    assertThat(of(List.of(), new double[0])).isEqualTo(ArrivalBurstinessCorrection.UNKNOWN);
  }
}
