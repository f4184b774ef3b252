package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.plan.ScenarioFixture.SECOND;
import static tallystick.plan.ScenarioFixture.constant;
import static tallystick.plan.ScenarioFixture.offsets;
import static tallystick.plan.ScenarioFixture.plan;
import static tallystick.plan.ScenarioFixture.poisson;
import static tallystick.plan.ScenarioFixture.requests;
import static tallystick.plan.ScenarioFixture.seconds;

import java.util.List;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.distribution.RealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.scenario.Arrival;
import tallystick.scenario.Rate;
import tallystick.scenario.Rate.Step;

/** Holds the arrival processes to their distributions. Seeds are fixed, so nothing flickers. */
class ArrivalProcessTest {
  /** A true distribution fails at one seed in a thousand; none of the seeds here is such a one. */
  private static final double ALPHA = 0.001;

  @Test
  void poissonGapsAreExponential() {
    Plan plan = plan(poisson(50), requests(5000));

    assertFits(new ExponentialDistribution(null, 1 / 50.0), gaps(plan));
  }

  @Test
  void poissonCountsPerSecondAreDispersedLikePoisson() {
    double[] counts = countsPerSecond(plan(poisson(20), seconds(2000)), 2000);

    // Variance over mean is 1 within 3 * sqrt(2 / 2000) for a Poisson process.
    assertThat(mean(counts)).isCloseTo(20, within(3 * Math.sqrt(20 / 2000.0)));
    assertThat(variance(counts) / mean(counts)).isCloseTo(1, within(3 * Math.sqrt(2 / 2000.0)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, 0.5, 2, 10})
  void gammaGapsHaveTheirBurstiness(double burstiness) {
    Plan plan = plan(new Arrival.Open(new Rate.Steady(50), burstiness, 0), requests(5000));

    assertFits(new GammaDistribution(null, burstiness, 1 / (50 * burstiness)), gaps(plan));
  }

  @Test
  void aConstantRateIsEvenToTheNanosecond() {
    List<Long> offsets = offsets(plan(constant(3), seconds(1000)), "main");

    assertThat(offsets).hasSize(3000);
    for (int i = 0; i < offsets.size(); i++) {
      assertThat(offsets.get(i)).isEqualTo(Math.round(i / 3.0 * SECOND));
    }
  }

  static List<Rate> changingRates() {
    return List.of(
        new Rate.Ramp(1, 40, 200),
        new Rate.Ramp(40, 0, 200),
        new Rate.Ramp(0, 40, 200),
        new Rate.Sine(20, 20, 50),
        new Rate.Sine(20, 5, 33),
        new Rate.Steps(List.of(
            new Step("a", 5, 50 * SECOND), new Step("b", 40, 50 * SECOND),
            new Step("c", 10, 100 * SECOND))));
  }

  /** Between two times, the expected number of starts is the integral of the rate. */
  @ParameterizedTest
  @MethodSource("changingRates")
  void startsFollowTheIntegralOfTheRate(Rate rate) {
    Plan plan = plan(poisson(rate), seconds(200));
    double[] expected = new double[40];
    long[] seen = new long[40];
    for (int i = 0; i < 40; i++) {
      expected[i] = rate.requestsBy((i + 1) * 5) - rate.requestsBy(i * 5);
    }
    plan.requests().forEach(r -> seen[(int) (r.offsetNanos() / (5 * SECOND))]++);

    assertThat(new ChiSquareTest().chiSquareTest(expected, seen)).isGreaterThan(ALPHA);
    double total = rate.requestsBy(200);
    assertThat((double) plan.requests().size()).isCloseTo(total, within(4 * Math.sqrt(total)));
  }

  /** A constant process of a changing rate starts where the integral reaches a whole number. */
  @ParameterizedTest
  @MethodSource("changingRates")
  void theInverseOfTheIntegralIsExact(Rate rate) {
    for (int requests = 1; requests < rate.requestsBy(200); requests += 97) {
      double seconds = StartTimes.secondsAt(rate, requests);

      assertThat(rate.requestsBy(seconds)).isCloseTo(requests, within(1e-6));
    }
  }

  @Test
  void noStartLiesBehindTheLastStepOrTheEndOfARamp() {
    Rate steps = new Rate.Steps(List.of(new Step("a", 5, 2 * SECOND)));

    assertThat(StartTimes.secondsAt(steps, 10)).isInfinite();
    assertThat(StartTimes.secondsAt(new Rate.Ramp(0, 10, 2), 10)).isInfinite();
    assertThat(StartTimes.secondsAt(new Rate.Ramp(10, 0, 2), 10)).isInfinite();
  }

  @Test
  void stepsBecomeNamedPhases() {
    Rate rate = new Rate.Steps(List.of(
        new Step("low", 2, 10 * SECOND), new Step("high", 8, 5 * SECOND)));
    Plan plan = plan(
        new Arrival.Open(rate, Arrival.Open.CONSTANT, 0), seconds(15), requests(4), 1);

    assertThat(plan.settings().phases())
        .containsExactly(
            new Phase("warmup", true, 0, SECOND, 4),
            new Phase("low", false, 0, 10 * SECOND, 2),
            new Phase("high", false, 10 * SECOND, 15 * SECOND, 8));
    assertThat(offsets(plan, "low")).hasSize(20).allMatch(offset -> offset < 10 * SECOND);
    assertThat(offsets(plan, "high")).hasSize(40).allMatch(offset -> offset >= 10 * SECOND);
  }

  @Test
  void aNumberOfRequestsCutsThePhases() {
    Rate rate = new Rate.Steps(List.of(
        new Step("low", 2, 10 * SECOND), new Step("high", 8, 5 * SECOND),
        new Step("never", 8, 5 * SECOND)));
    Plan plan = plan(new Arrival.Open(rate, Arrival.Open.CONSTANT, 0), requests(28));

    assertThat(plan.settings().phases())
        .containsExactly(
            new Phase("low", false, 0, 10 * SECOND, 2),
            new Phase("high", false, 10 * SECOND, 11 * SECOND, 8));
  }

  @Test
  void startsAscend() {
    for (Rate rate : changingRates()) {
      assertThat(offsets(plan(poisson(rate), seconds(200)), "main")).isSorted();
    }
  }

  private static double[] gaps(Plan plan) {
    double[] gaps = new double[plan.requests().size()];
    long previous = 0;
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = (plan.requests().get(i).offsetNanos() - previous) / 1e9;
      previous = plan.requests().get(i).offsetNanos();
    }
    return gaps;
  }

  private static double[] countsPerSecond(Plan plan, int seconds) {
    double[] counts = new double[seconds];
    plan.requests().forEach(r -> counts[(int) (r.offsetNanos() / SECOND)]++);
    return counts;
  }

  private static double mean(double[] values) {
    return java.util.Arrays.stream(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return java.util.Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum()
        / (values.length - 1);
  }

  private static void assertFits(RealDistribution distribution, double[] values) {
    assertThat(new KolmogorovSmirnovTest().kolmogorovSmirnovTest(distribution, values, false))
        .isGreaterThan(ALPHA);
  }
}
