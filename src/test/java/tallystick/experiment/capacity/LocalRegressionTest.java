package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class LocalRegressionTest {
  private static final double[] FACTORS = {0.94, 1.05, 0.98, 1.03, 0.96, 1.06, 1.01, 0.99};

  /** Runs at 10/s that lie apart by how crowded their schedules were, and by nothing else. */
  private static List<ProbeResult> runs(int known) {
    List<ProbeResult> runs = new ArrayList<>();
    for (int i = 0; i < FACTORS.length; i++) {
      long bad = Math.round(20 * Math.pow(FACTORS[i], 20));
      runs.add(
          new ProbeResult(
              new Probe(i + 1, Probe.Purpose.NARROW, 10, 15, 200, i), 220, 2000, 2000 - bad,
              ProbeResult.Load.UNKNOWN, ProbeResult.Trust.TRUSTED, "",
              i < known ? crowded(FACTORS[i]) : ArrivalBurstinessCorrection.UNKNOWN));
    }
    return runs;
  }

  private static ArrivalBurstinessCorrection crowded(double factor) {
    return crowded(factor, 10, rate -> 20 * Math.log(rate / 10));
  }

  /** A run whose server has these odds of a bad request over the rate, as logarithms. */
  private static ArrivalBurstinessCorrection crowded(
      double factor, double perSecond, DoubleUnaryOperator logOddsOnServer) {
    return new ArrivalBurstinessCorrection(
        factor, new ArrivalBurstinessCorrection.Request(100, 60), 8,
        new InferredEngineModel.Costs(0.01, 1e-5, 0, 0, 0, 0),
        Arrays.stream(ArrivalBurstinessCorrection.FACTORS)
            .map(one -> logOddsOnServer.applyAsDouble(one * perSecond))
            .boxed()
            .toList());
  }

  /** A few long answers break the limit at any rate; the odds rise faster the more come. */
  private static double bent(double perSecond) {
    return Math.log(0.01 / 0.99) + 0.4 * (Math.pow(perSecond / 10, 15) - 1);
  }

  @Test
  void oddsThatBendAreFollowedAsTheServerBends() {
    List<ProbeResult> runs = new ArrayList<>();
    for (double rate : new double[] {9.4, 9.7, 10.3, 10.6, 10.8, 11, 11.4}) {
      long bad = Math.round(20_000 / (1 + Math.exp(-bent(rate))));
      runs.add(
          new ProbeResult(
              new Probe(1, Probe.Purpose.NARROW, rate, 15, 2000, 1), 2020, 20_000, 20_000 - bad,
              ProbeResult.Load.UNKNOWN, ProbeResult.Trust.TRUSTED, "",
              // The server is slower and bends at the same rate.
              crowded(1, rate, at -> 0.4 + 0.9 * bent(at))));
    }

    GoodputLogitModel curve = new LocalRegression(runs).curve(0.01, 10).orElseThrow();

    assertThat(curve.rateAt(0.01)).isCloseTo(10, within(0.05));
  }

  /**
   * Runs of 4,000 requests on an engine whose odds rise with slope 8. What is left of bursts shifts
   * each by 1.5 % of the rate; else its requests are bad independently of one another.
   */
  private static List<ProbeResult> gentleRuns(SplittableRandom random) {
    List<ProbeResult> runs = new ArrayList<>();
    for (double rate : new double[] {9.4, 9.7, 10, 10.3, 10.6, 10.9, 9.9, 10.2}) {
      double shifted = rate * Math.exp(0.015 * random.nextGaussian());
      double share = 1 / (1 + 99 * Math.pow(10 / shifted, 8));
      long bad = random.doubles(4000).filter(one -> one < share).count();
      runs.add(
          new ProbeResult(
              new Probe(1, Probe.Purpose.NARROW, rate, 15, 400, 1), 420, 4000, 4000 - bad,
              ProbeResult.Load.UNKNOWN, ProbeResult.Trust.TRUSTED, "",
              crowded(1, rate, at -> 8 * Math.log(at / 10) - 4)));
    }
    return runs;
  }

  @Test
  void whereTheOddsRiseSlowlyBurstsMoveThemLess() {
    SplittableRandom random = new SplittableRandom(11);
    int held = 0;
    double[] widths = new double[200];
    for (int i = 0; i < widths.length; i++) {
      RateInterval span =
          new LocalRegression(gentleRuns(random)).curve(0.01, 10).orElseThrow().span(0.01, 0.95);
      held += span.low() <= 10 && span.high() >= 10 ? 1 : 0;
      widths[i] = span.ratio();
    }
    Arrays.sort(widths);

    assertThat(held).isBetween(188, 200);
    assertThat(widths[100]).isLessThan(1.07);
  }

  @Test
  void aPlaceOnTheScaleIsOneRate() {
    List<ProbeResult> runs = runs(FACTORS.length);
    LogOddsTransform scale = LogOddsTransform.of(runs);

    for (double rate : new double[] {5, 9, 10, 11, 20}) {
      assertThat(scale.perSecond(scale.even(rate))).isCloseTo(rate, within(1e-6));
    }
  }

  private static RateInterval span(int known) {
    return new LocalRegression(runs(known)).curve(0.01, 10).orElseThrow().span(0.01, 0.95);
  }

  @Test
  void howCrowdedTheRunsWereIsTakenOut() {
    assertThat(span(FACTORS.length).ratio()).isLessThan(span(0).ratio());
    assertThat(span(FACTORS.length).low()).isLessThan(10);
    assertThat(span(FACTORS.length).high()).isGreaterThan(10);
  }

  @Test
  void itIsKnownOfAllRunsOrOfNone() {
    assertThat(span(FACTORS.length - 1)).isEqualTo(span(0));
  }

  /** Runs on both sides of where one request in five is bad; all beyond it were left out. */
  @Test
  void aLooseShareHasRunsBeyondItToo() {
    List<ProbeResult> runs = new ArrayList<>();
    double[] rates = {9.4, 9.6, 9.8, 10, 10.2, 10.4};
    for (int i = 0; i < rates.length; i++) {
      double odds = 0.25 * Math.pow(rates[i] / 10, 20);
      long bad = Math.round(2000 * odds / (1 + odds));
      runs.add(
          new ProbeResult(
              new Probe(i + 1, Probe.Purpose.NARROW, rates[i], 15, 200, i),
              220,
              2000,
              2000 - bad,
              ProbeResult.Load.UNKNOWN,
              ProbeResult.Trust.TRUSTED,
              "",
              ArrivalBurstinessCorrection.UNKNOWN));
    }
    RateInterval span = new LocalRegression(runs).curve(0.2, 10).orElseThrow().span(0.2, 0.95);
    assertThat(span.low()).isBetween(9.0, 10.0);
    assertThat(span.high()).isBetween(10.0, 11.0);
  }
}
