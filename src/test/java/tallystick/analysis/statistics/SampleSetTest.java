package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;

class SampleSetTest {

  @Test
  void percentilesAreOrderStatistics() {
    SampleSet set = new SampleSet();
    for (int i = 100; i >= 1; i--) {
      set.add(i * 1_000_000L);
    }
    Distribution.Percentile p95 = set.distribution().percentiles().get(2);
    assertThat(p95.value()).isEqualTo(Figure.of(0.095));
    assertThat(p95.low()).isEqualTo(Figure.of(0.090));
    assertThat(p95.high()).isEqualTo(Figure.of(0.100));
    assertThat(p95.noisy()).isTrue();
    assertThat(set.distribution().percentiles().get(3).value())
        .isEqualTo(Figure.missing("n=100, need 368"));
  }

  @Test
  void beyondItsLimitItKeepsItsStatedError() {
    SampleSet exact = new SampleSet(100_000, 4);
    SampleSet spilled = new SampleSet(1000, 4);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 50_000; i++) {
      long nanos = 1_000_000L + random.nextLong(10_000_000_000L);
      exact.add(nanos);
      spilled.add(nanos);
    }
    assertThat(exact.isExact()).isTrue();
    assertThat(spilled.isExact()).isFalse();
    assertThat(spilled.distribution().relativeError()).isEqualTo(1e-4);
    assertThat(spilled.meanSeconds()).isEqualTo(exact.meanSeconds());
    assertThat(spilled.maximumSeconds()).isEqualTo(exact.maximumSeconds());
    for (double level : OrderStatistics.LEVELS) {
      double truth = exact.plainQuantileSeconds(level);
      assertThat(spilled.plainQuantileSeconds(level)).isCloseTo(truth, within(truth * 1e-4));
    }
  }

  @Test
  void aSampleAddedSeveralTimesCountsSoOften() {
    SampleSet set = new SampleSet(4, 4);
    set.add(10, 3);
    set.add(20, 3);
    assertThat(set.count()).isEqualTo(6);
    assertThat(set.meanSeconds()).isCloseTo(15e-9, within(1e-20));
    assertThat(set.atRank(3)).isEqualTo(10);
    assertThat(set.atRank(4)).isEqualTo(20);
  }

  @Test
  void anUpperEdgeBelongsToItsBucket() {
    SampleSet set = new SampleSet();
    set.add(250_000_000L);
    set.add(250_000_001L);
    assertThat(set.atOrBelow(0.25)).isEqualTo(1);
    assertThat(set.atOrBelow(0.3)).isEqualTo(2);
    assertThat(set.atOrBelow(0.2)).isZero();
  }

  @Test
  void countsAtEdgesStayRawWhenSamplesAreNoLongerKept() {
    double[] edges = {0.25, 0.3};
    SampleSet spilled = new SampleSet(2, 2, edges);
    for (int i = 0; i < 10; i++) {
      spilled.add(250_000_000L - i, 2);
      spilled.add(250_000_001L + i);
      spilled.add(300_000_001L);
    }
    assertThat(spilled.isExact()).isFalse();
    assertThat(spilled.atOrBelow(0.25)).isEqualTo(20);
    assertThat(spilled.atOrBelow(0.3)).isEqualTo(30);
    assertThatThrownBy(() -> spilled.atOrBelow(0.28)).hasMessageContaining("0.28");
  }

  @Test
  void refusesARankItDoesNotHold() {
    assertThatThrownBy(() -> new SampleSet().atRank(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1..0");
  }

  @Test
  void gapsTogetherAreTheGapsOneByOne() {
    double[] edges = {0.01, 0.02};
    TimeUnits time = new TimeUnits(0, 1_000_000_000L, 10);
    TimedSamples together = new TimedSamples(new SampleSet(200, 4, edges), time);
    TimedSamples single = new TimedSamples(new SampleSet(200, 4, edges), time);
    SplittableRandom random = new SplittableRandom(7);
    for (int stream = 0; stream < 30; stream++) {
      long[] moments = new long[random.nextInt(40)];
      long at = random.nextLong(900_000_000L);
      for (int i = 0; i < moments.length; i++) {
        at += random.nextLong(30_000_000L) * random.nextInt(2);
        moments[i] = at;
        if (i > 0) {
          single.add(at - moments[i - 1], at);
        }
      }
      together.addGaps(moments);
    }
    assertThat(together.count()).isEqualTo(single.count()).isGreaterThan(400);
    assertThat(together.samples().isExact()).isFalse();
    assertThat(together.distribution()).isEqualTo(single.distribution());
    assertThat(together.samples().sumSeconds()).isEqualTo(single.samples().sumSeconds());
    assertThat(together.samples().atOrBelow(0.01)).isEqualTo(single.samples().atOrBelow(0.01));
    assertThat(together.units().counts(0, 10)).usingRecursiveComparison()
        .isEqualTo(single.units().counts(0, 10));
  }
}
