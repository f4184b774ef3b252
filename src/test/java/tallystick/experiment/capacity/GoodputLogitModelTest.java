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

  private static GoodputLogitModel.Point point(double perSecond, long judged, long bad) {
    return new GoodputLogitModel.Point(perSecond, 0, 150, judged, bad);
  }

  private static Optional<GoodputLogitModel> through(List<GoodputLogitModel.Point> points) {
    return GoodputLogitModel.through(points, 0.01);
  }

  private static List<GoodputLogitModel.Point> onTheCurve() {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (double rate : new double[] {9.4, 9.7, 10.1, 10.4, 10.8}) {
      points.add(point(rate, REQUESTS, Math.round(REQUESTS * badShare(rate))));
    }
    return points;
  }

  @Test
  void findsThePlantedRateOfRunsWithoutSpread() {
    GoodputLogitModel curve = through(onTheCurve()).orElseThrow();

    assertThat(curve.rate()).isCloseTo(10, within(0.15));
    assertThat(curve.slope()).isBetween(12.0, 28.0);
  }

  /** Of runs at one mean rate the busier ones outweigh in the mean: each is a little better. */
  @Test
  void aRunIsReadAtTheRateThatCame() {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (double came : new double[] {9.4, 9.7, 10.1, 10.4, 10.8}) {
      long arrivals = Math.round(150 * came);
      double share = badShare(came) * Math.exp(-20.0 * 20 / 2 / arrivals);
      points.add(
          new GoodputLogitModel.Point(
              8, arrivals, 150, REQUESTS, Math.round(REQUESTS * share)));
    }

    assertThat(through(points).orElseThrow().rate()).isCloseTo(10, within(0.05));
  }

  @Test
  void isNoneWhereNothingFailedOrNothingHeld() {
    assertThat(through(List.of(point(2, 100, 0)))).isEmpty();
    assertThat(through(List.of(point(2, 100, 100)))).isEmpty();
  }

  @Test
  void oneProbeThatHeldAndOneThatFailedAreAnAnswer() {
    GoodputLogitModel curve =
        through(List.of(point(10, 300, 0), point(14, 300, 200))).orElseThrow();

    assertThat(curve.rate()).isBetween(10.0, 14.0);
    assertThat(curve.span(0.9).low()).isBetween(8.0, 11.5);
    assertThat(curve.span(0.9).high()).isBetween(11.5, 16.0);
  }

  @Test
  void aShortProbeSaysLessThanALongOne() {
    List<GoodputLogitModel.Point> shorter =
        onTheCurve().stream()
            .map(
                one ->
                    new GoodputLogitModel.Point(
                        one.perSecond(), 0, 30, one.judged() / 5, one.bad() / 5))
            .toList();

    assertThat(through(shorter).orElseThrow().span(0.9).ratio())
        .isGreaterThan(through(onTheCurve()).orElseThrow().span(0.9).ratio());
  }

  /** Runs that contradict one another: none of them decides. */
  @Test
  void aRateThatFailedBelowOneThatHeldWidensTheInterval() {
    List<GoodputLogitModel.Point> disputed = new ArrayList<>(onTheCurve());
    disputed.add(point(8, REQUESTS, REQUESTS / 3));

    assertThat(through(disputed).orElseThrow().span(0.9).ratio())
        .isGreaterThan(1.3 * through(onTheCurve()).orElseThrow().span(0.9).ratio() - 0.3);
  }

  /** Runs whose bad share is off by a factor with the spread that bursts bring. */
  @Test
  void mostIntervalsHoldThePlantedRateThoughTheSpreadIsSkewed() {
    SplittableRandom random = new SplittableRandom(4242);
    int held = 0;
    int repeats = 100;
    double widths = 0;
    for (int repeat = 0; repeat < repeats; repeat++) {
      List<GoodputLogitModel.Point> points = new ArrayList<>();
      for (double rate : new double[] {9.3, 9.6, 9.8, 10, 10.2, 10.4, 10.7, 11}) {
        double factor = Math.exp(random.nextGaussian() - 0.5);
        long bad = Math.round(3000 * Math.min(1, badShare(rate) * factor));
        points.add(point(rate, 3000, bad));
      }
      RateInterval span = through(points).orElseThrow().span(0.9);
      held += span.low() <= 10 && span.high() >= 10 ? 1 : 0;
      widths += span.ratio() - 1;
    }
    assertThat(held).as("%s wide", widths / repeats).isGreaterThanOrEqualTo(85);
    assertThat(widths / repeats).isLessThan(0.15);
  }
}
