package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.promql.HistogramQuantile.Bucket;
import tallystick.promql.RateExtrapolation.Function;

/** What no vector of ours happens to hold; each value worked by hand from Prometheus' rules. */
class EdgeCaseTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void aHistogramWithoutContentHasNoQuantile(PrometheusVersion version) {
    assertThat(HistogramQuantile.of(0.5, List.of(), version)).isNaN();
    assertThat(HistogramQuantile.of(0.5, List.of(new Bucket(INFINITE, 7)), version)).isNaN();
    assertThat(HistogramQuantile.of(0.5, List.of(new Bucket(1, 7)), version)).isNaN();
    List<Bucket> empty = List.of(new Bucket(1, 0), new Bucket(INFINITE, 0));
    assertThat(HistogramQuantile.of(0.5, empty, version)).isNaN();
    assertThat(HistogramQuantile.of(Double.NaN, empty, version)).isNaN();
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void everythingBeyondTheLastEdgeIsTheLastEdge(PrometheusVersion version) {
    List<Bucket> buckets = List.of(new Bucket(1, 0), new Bucket(2, 0), new Bucket(INFINITE, 9));
    assertThat(HistogramQuantile.of(0.01, buckets, version)).isEqualTo(2);
    assertThat(HistogramQuantile.of(1, buckets, version)).isEqualTo(2);
    assertThat(HistogramQuantile.of(1.0001, buckets, version)).isEqualTo(INFINITE);
    assertThat(HistogramQuantile.of(-0.1, buckets, version)).isEqualTo(-INFINITE);
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void oneFiniteBucketIsDividedFromZeroOrIsItsNegativeEdge(PrometheusVersion version) {
    List<Bucket> buckets = List.of(new Bucket(INFINITE, 4), new Bucket(0.3, 4));
    assertThat(HistogramQuantile.of(0.95, buckets, version)).isCloseTo(0.285, within(1e-15));
    List<Bucket> negative = List.of(new Bucket(-2, 4), new Bucket(INFINITE, 4));
    assertThat(HistogramQuantile.of(0.5, negative, version)).isEqualTo(-2);
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void oneSampleIsNoRange(PrometheusVersion version) {
    assertThat(of(version, new double[][] {}, 60_000, 60_000)).isNaN();
    assertThat(of(version, new double[][] {{30_000, 5}}, 60_000, 60_000)).isNaN();
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void everyResetInsideTheRangeIsAddedUp(PrometheusVersion version) {
    // 10, 14, 3 (reset), 5, 1 (reset): 4 + 3 + 2 + 1 = 10 over 40 s; 10 s on either side, each
    // within 1.1 average gaps, and zero lies 40 s before the first sample.
    double[][] samples = {{10_000, 10}, {20_000, 14}, {30_000, 3}, {40_000, 5}, {50_000, 1}};
    assertThat(of(version, samples, 60_000, 60_000)).isCloseTo(15, within(1e-12));
  }

  @Test
  void aSampleOnTheLeftEdgeCountsIn2xOnly() {
    double[][] samples = {{0, 0}, {30_000, 3}, {60_000, 6}};
    assertThat(of(PrometheusVersion.V2_42, samples, 60_000, 60_000)).isEqualTo(6);
    // Left-open: 30 s to 60 s grew by 3; 30 s to the left edge lie within 1.1 average gaps.
    assertThat(of(PrometheusVersion.V3, samples, 60_000, 60_000)).isEqualTo(6);
    assertThat(of(PrometheusVersion.V2_42, samples, 60_000, 30_000)).isEqualTo(3);
    assertThat(of(PrometheusVersion.V3, samples, 60_000, 30_000)).isNaN();
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void aCounterThatStandsStillGrowsByNothing(PrometheusVersion version) {
    double[][] samples = {{10_000, 7}, {20_000, 7}, {30_000, 7}};
    assertThat(of(version, samples, 30_000, 30_000)).isZero();
  }

  @Test
  void onRandomCountersBothVersionsExtendTheGrowthByAtMostAGapAtEachEnd() {
    SplittableRandom random = new SplittableRandom(77);
    for (int round = 0; round < 2000; round++) {
      int size = 2 + random.nextInt(20);
      double[][] samples = new double[size][];
      double value = random.nextInt(50);
      for (int i = 0; i < size; i++) {
        samples[i] = new double[] {1000 + i * 5000 + random.nextInt(900), value};
        value = random.nextInt(8) == 0 ? random.nextInt(4) : value + random.nextInt(30);
      }
      double raw = raw(samples);
      for (PrometheusVersion version : PrometheusVersion.values()) {
        double increase = of(version, samples, (long) samples[size - 1][0] + 2000, 200_000);
        assertThat(increase).isBetween(raw, raw * (1 + 2.0 / (size - 1)) * 1.2 + 1e-9);
      }
    }
  }

  private static double raw(double[][] samples) {
    double growth = 0;
    for (int i = 1; i < samples.length; i++) {
      double step = samples[i][1] - samples[i - 1][1];
      growth += step < 0 ? samples[i][1] : step;
    }
    return growth;
  }

  /** The increase over a range; NaN where there is none. */
  private static double of(
      PrometheusVersion version, double[][] samples, long endMillis, long rangeMillis) {
    StoredSeries series = new StoredSeries(Labels.of("x", Map.of()));
    for (double[] sample : samples) {
      series.append((long) sample[0], sample[1]);
    }
    Window window = Window.of(series, endMillis, rangeMillis, version);
    return RateExtrapolation.of(Function.INCREASE, version, window, endMillis, rangeMillis)
        .orElse(Double.NaN);
  }
}
