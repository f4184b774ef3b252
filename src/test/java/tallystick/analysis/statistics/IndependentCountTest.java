package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;

class IndependentCountTest {
  private static final int SERIES = 400;
  private static final int MEDIAN = 0;
  private static final int P95 = 2;

  /** What became of the intervals of many series whose quantile is known. */
  private record Coverage(double share, double without, double meanWorth) {}

  @Test
  void independentSamplesAreWorthNearlyThemselves() {
    Coverage median = coverage(0, 600, MEDIAN);
    assertThat(median.share()).isBetween(0.93, 0.995);
    assertThat(median.without()).isLessThan(0.05);
    assertThat(median.meanWorth()).isBetween(250.0, 600.0);
    assertThat(coverage(0, 600, P95).share()).isGreaterThan(0.93);
  }

  /** Intervals of as many independent samples hold the truth in 57 and 69 of 100 such series. */
  @Test
  void samplesThatFollowOneAnotherHaveIntervalsThatHold() {
    Coverage median = coverage(0.8, 600, MEDIAN);
    assertThat(median.share()).isGreaterThan(0.9);
    assertThat(median.meanWorth()).isBetween(50.0, 150.0);
    assertThat(coverage(0.8, 600, P95).share()).isGreaterThan(0.9);
  }

  @Test
  void aTrendHasNoInterval() {
    TimedSamples samples = samples(300);
    for (int i = 0; i < 300; i++) {
      samples.add(1_000_000L * (i + 1), i * 1_000_000_000L);
    }
    Distribution.Percentile median = samples.distribution().percentiles().get(MEDIAN);
    assertThat(median.value()).isEqualTo(Figure.of(0.150));
    assertThat(median.low())
        .isEqualTo(
            Figure.missing("neighbouring stretches of time are alike: the run is too short"));
    assertThat(median.noisy()).isTrue();
  }

  @Test
  void gapsOfOneRequestAreWorthLittleMoreThanTheRequest() {
    SplittableRandom random = new SplittableRandom(3);
    TimedSamples samples = samples(300);
    for (int request = 0; request < 300; request++) {
      long gap = 10_000_000L + random.nextLong(10_000_000);
      for (int i = 0; i < 100; i++) {
        samples.add(gap, request * 1_000_000_000L + i * 10_000_000L);
      }
    }
    Figure worth = samples.distribution().percentiles().get(MEDIAN).independentCount();
    assertThat(((Figure.Known) worth).value()).isBetween(120.0, 400.0);
  }

  @Test
  void tooShortAStretchIsNotCut() {
    TimedSamples samples = samples(300);
    for (int i = 0; i < 100; i++) {
      samples.add(1_000_000L + i * 1000L, 0);
    }
    assertThat(samples.distribution().percentiles().get(MEDIAN).high())
        .isEqualTo(
            Figure.missing("the samples span too little time to tell how alike they are"));
  }

  @Test
  void constantSamplesHaveAnIntervalOfNoWidth() {
    TimedSamples samples = samples(100);
    for (int i = 0; i < 100; i++) {
      samples.add(1_000_000L, i * 1_000_000_000L);
    }
    Distribution.Percentile median = samples.distribution().percentiles().get(MEDIAN);
    assertThat(median.low()).isEqualTo(Figure.of(0.001));
    assertThat(((Figure.Known) median.high()).value()).isCloseTo(0.001, within(1e-12));
  }

  /** Series whose logarithms follow one another by a first-order autoregression. */
  private static Coverage coverage(double follow, int length, int percentile) {
    NormalDistribution normal = new NormalDistribution(null, 0, 1);
    double truth =
        Math.exp(normal.inverseCumulativeProbability(OrderStatistics.LEVELS[percentile])) * 0.1;
    int held = 0;
    int without = 0;
    double worth = 0;
    for (int seed = 0; seed < SERIES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TimedSamples samples = samples(length);
      double level = normal.inverseCumulativeProbability(random.nextDouble());
      for (int i = 0; i < length; i++) {
        double noise = normal.inverseCumulativeProbability(random.nextDouble());
        level = follow * level + Math.sqrt(1 - follow * follow) * noise;
        samples.add(Math.round(Math.exp(level) * 1e8), i * 1_000_000_000L);
      }
      Distribution.Percentile of = samples.distribution().percentiles().get(percentile);
      if (of.low() instanceof Figure.Known low && of.high() instanceof Figure.Known high) {
        held += low.value() <= truth && truth <= high.value() ? 1 : 0;
        worth += ((Figure.Known) of.independentCount()).value();
      } else {
        without++;
      }
    }
    double known = SERIES - without;

    return new Coverage(held / known, without / (double) SERIES, worth / known);
  }

  private static TimedSamples samples(int seconds) {
    return new TimedSamples(
        new SampleSet(), new TimeUnits(0, seconds * 1_000_000_000L, TimeUnits.USUAL));
  }
}
