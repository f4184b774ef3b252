package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.LogNormalDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.RealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Lengths;

class LengthDrawTest {
  private static final int DRAWS = 20_000;
  private static final double ALPHA = 0.001;

  @Test
  void fixedIsAlwaysTheSame() {
    assertThat(draw(new Lengths.Fixed(7))).containsOnly(7);
  }

  @Test
  void uniformTakesEveryNumberEquallyOften() {
    assertFits(draw(new Lengths.Uniform(3, 12)), 3, 12, tokens -> 0.1);
  }

  @Test
  void uniformTakesBothEnds() {
    assertThat(draw(new Lengths.Uniform(1, 2))).contains(1, 2).containsOnly(1, 2);
  }

  @Test
  void normalIsRoundedAndCutWithoutPilingUpAtItsEnds() {
    RealDistribution normal = new NormalDistribution(null, 20, 6);

    assertFits(draw(new Lengths.Normal(20, 6, 10, 30)), 10, 30, rounded(normal, 10, 30));
  }

  @Test
  void lognormalIsRoundedAndCutWithoutPilingUpAtItsEnds() {
    RealDistribution lognormal = new LogNormalDistribution(null, Math.log(20), 0.5);

    assertFits(draw(new Lengths.Lognormal(20, 0.5, 5, 60)), 5, 60, rounded(lognormal, 5, 60));
  }

  @Test
  void lognormalHasItsMedian() {
    int[] sorted = draw(new Lengths.Lognormal(1000, 0.8, 1, Lengths.MOST));
    Arrays.sort(sorted);

    // Three standard errors of the median: 3 * 0.8 * sqrt(pi / 2 / n) of its logarithm.
    assertThat(Math.log(sorted[DRAWS / 2]))
        .isCloseTo(Math.log(1000), within(3 * 0.8 * Math.sqrt(Math.PI / 2 / DRAWS)));
  }

  @Test
  void empiricalFollowsItsWeights() {
    Lengths lengths = new Lengths.Empirical(List.of(
        new Lengths.Weighted(1, 5), new Lengths.Weighted(2, 0.5), new Lengths.Weighted(3, 4.5)));

    assertFits(draw(lengths), 1, 3, tokens -> List.of(0.5, 0.05, 0.45).get(tokens - 1));
  }

  @Test
  void lengthsKnowTheirEnds() {
    Lengths lengths = new Lengths.Empirical(List.of(
        new Lengths.Weighted(9, 1), new Lengths.Weighted(2, 1)));

    assertThat(lengths.least()).isEqualTo(2);
    assertThat(lengths.most()).isEqualTo(9);
  }

  private static int[] draw(Lengths lengths) {
    LengthDraw draw = LengthDraw.of(lengths, RandomStream.of(5, "lengths"));
    return IntStream.generate(draw::next).limit(DRAWS).toArray();
  }

  private static IntToDoubleFunction rounded(RealDistribution of, int least, int most) {
    double whole =
        of.cumulativeProbability(most + 0.5) - of.cumulativeProbability(least - 0.5);
    return tokens ->
        (of.cumulativeProbability(tokens + 0.5) - of.cumulativeProbability(tokens - 0.5)) / whole;
  }

  private static void assertFits(int[] drawn, int least, int most, IntToDoubleFunction share) {
    assertThat(Arrays.stream(drawn)).allMatch(tokens -> tokens >= least && tokens <= most);
    double[] expected = IntStream.rangeClosed(least, most).mapToDouble(share).toArray();
    long[] seen = new long[most - least + 1];
    Arrays.stream(drawn).forEach(tokens -> seen[tokens - least]++);

    assertThat(new ChiSquareTest().chiSquareTest(expected, seen)).isGreaterThan(ALPHA);
  }
}
