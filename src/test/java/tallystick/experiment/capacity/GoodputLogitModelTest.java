package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GoodputLogitModelTest {
  private static final long REQUESTS = 100_000;

  /** Slope 20 through one bad request in a hundred at 10 requests/s. */
  private static double badShare(double perSecond) {
    double odds = 0.01 / 0.99 * Math.pow(perSecond / 10, 20);
    return odds / (1 + odds);
  }

  private static Optional<GoodputLogitModel> through(List<GoodputLogitModel.Point> points) {
    return GoodputLogitModel.through(points, 10, GoodputLogitModel.Footing.OF_FRESH_RUNS);
  }

  @Test
  void findsThePlantedRateOfRunsWithoutSpread() {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (double rate : new double[] {9.4, 9.7, 10.1, 10.4, 10.8}) {
      points.add(
          new GoodputLogitModel.Point(rate, REQUESTS, Math.round(REQUESTS * badShare(rate))));
    }
    GoodputLogitModel curve = through(points).orElseThrow();

    assertThat(curve.rateAt(0.01)).isCloseTo(10, within(0.01));
    assertThat(curve.rateAt(badShare(10.6))).isCloseTo(10.6, within(0.02));
  }

  @Test
  void anEngineWhoseSpeedMovesHoldsALowerRateWithinAWiderInterval() {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (double rate : new double[] {9.4, 9.7, 10.1, 10.4, 10.8}) {
      points.add(
          new GoodputLogitModel.Point(rate, REQUESTS, Math.round(REQUESTS * badShare(rate))));
    }
    EngineSpeedDrift moves =
        new EngineSpeedDrift(new double[] {0.95, 1.05, 1, 0.96, 1.04}, new double[5]);
    GoodputLogitModel steady = through(points).orElseThrow();
    GoodputLogitModel moving =
        GoodputLogitModel.through(
                points,
                10,
                new GoodputLogitModel.Footing(
                    GoodputLogitModel.Spread.OF_FRESH_RUNS, moves, LogOddsTransform.PLAIN))
            .orElseThrow();
    RateInterval span = moving.span(0.01, 0.95);

    // Half of slope 20 times a variance of 0.002.
    assertThat(moving.rateAt(0.01) / steady.rateAt(0.01)).isCloseTo(0.98, within(0.004));
    assertThat(span.ratio()).isGreaterThan(steady.span(0.01, 0.95).ratio() + 0.02);
    assertThat(span.low()).isLessThan(moving.rateAt(0.01));
    assertThat(span.high()).isGreaterThan(moving.rateAt(0.01));
  }

  @Test
  void isNoneWhereNothingTellsGoodFromBad() {
    List<GoodputLogitModel.Point> good = List.of(new GoodputLogitModel.Point(2, 100, 0));
    List<GoodputLogitModel.Point> bad = List.of(new GoodputLogitModel.Point(2, 100, 100));

    assertThat(through(good)).isEmpty();
    assertThat(through(bad)).isEmpty();
  }

  @Test
  void tooFewRunsBoundNothing() {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (double rate : new double[] {9.5, 10, 10.5, 11}) {
      points.add(
          new GoodputLogitModel.Point(rate, REQUESTS, Math.round(REQUESTS * badShare(rate))));
    }
    RateInterval span = through(points).orElseThrow().span(0.01, 0.9);

    assertThat(span).isEqualTo(new RateInterval(0, Double.POSITIVE_INFINITY));
    assertThat(span.ratio()).isInfinite();
  }

  /** Runs whose bad share is off by a factor with the spread that bursts bring. */
  @Test
  void nineIntervalsOfTenHoldThePlantedRate() {
    SplittableRandom random = new SplittableRandom(4242);
    int held = 0;
    int repeats = 300;
    double widths = 0;
    for (int repeat = 0; repeat < repeats; repeat++) {
      List<GoodputLogitModel.Point> points = new ArrayList<>();
      for (double rate : new double[] {9.3, 9.6, 9.8, 10, 10.2, 10.4, 10.7, 11}) {
        double factor = Math.exp(random.nextGaussian() - 0.5);
        long bad = Math.round(3000 * Math.min(1, badShare(rate) * factor));
        points.add(new GoodputLogitModel.Point(rate, 3000, bad));
      }
      RateInterval span = through(points).orElseThrow().span(0.01, 0.9);
      held += span.low() <= 10 && span.high() >= 10 ? 1 : 0;
      widths += span.ratio() - 1;
    }
    // 90 % of 300 are 270; three standard deviations of that count are 16.
    assertThat(held).isGreaterThanOrEqualTo(254);
    assertThat(widths / repeats).isLessThan(0.15);
  }
}
