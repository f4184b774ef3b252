package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.RealDistribution;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomStreamTest {
  /** With fixed seeds a test passes or fails for good; this level leaves room for bad luck. */
  private static final double ALPHA = 0.001;

  @Test
  void isSplitMix64() {
    SplittableRandom known = new SplittableRandom(42);
    RandomStream stream = new RandomStream(42);

    for (int i = 0; i < 1000; i++) {
      assertThat(stream.nextLong()).isEqualTo(known.nextLong());
    }
  }

  @Test
  void purposesAndSeedsHaveStreamsOfTheirOwn() {
    assertThat(RandomStream.of(1, "a").nextLong())
        .isEqualTo(RandomStream.of(1, "a").nextLong())
        .isNotEqualTo(RandomStream.of(1, "b").nextLong())
        .isNotEqualTo(RandomStream.of(2, "a").nextLong());
  }

  @Test
  void neighbouringSeedsAreUnrelated() {
    double[] first = new double[5000];
    for (int seed = 0; seed < first.length; seed++) {
      first[seed] = RandomStream.of(seed, "arrivals").nextDouble();
    }
    assertFits(new UniformRealDistribution(null, 0, 1), first);
  }

  @Test
  void followsItsDistributions() {
    RandomStream stream = RandomStream.of(7, "test");

    assertFits(new UniformRealDistribution(null, 0, 1), draws(stream::nextDouble));
    assertFits(new ExponentialDistribution(null, 1), draws(stream::nextExponential));
    assertFits(new NormalDistribution(null, 0, 1), draws(stream::nextGaussian));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 1, 2, 10, 400})
  void gammaHasItsShapeAndMeanOne(double shape) {
    RandomStream stream = RandomStream.of(11, "gamma");

    assertFits(
        new GammaDistribution(null, shape, 1 / shape), draws(() -> stream.nextGamma(shape)));
  }

  @Test
  void indexesAreEquallyOften() {
    RandomStream stream = RandomStream.of(3, "index");
    long[] seen = new long[7];
    for (int i = 0; i < 70_000; i++) {
      seen[stream.nextIndex(7)]++;
    }
    double[] expected = {1, 1, 1, 1, 1, 1, 1};

    assertThat(new ChiSquareTest().chiSquareTest(expected, seen)).isGreaterThan(ALPHA);
  }

  private static double[] draws(DoubleSupplier source) {
    double[] values = new double[5000];
    for (int i = 0; i < values.length; i++) {
      values[i] = source.getAsDouble();
    }
    return values;
  }

  private static void assertFits(RealDistribution distribution, double[] values) {
    assertThat(new KolmogorovSmirnovTest().kolmogorovSmirnovTest(distribution, values, false))
        .isGreaterThan(ALPHA);
  }
}
