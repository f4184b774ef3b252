package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  private static final double EXACT = 1e-12;

  @Test
  void ranksAndCorrelationAreThoseOfTheirDefinitions() {
    SplittableRandom random = new SplittableRandom(7);
    for (int run = 0; run < 500; run++) {
      int length = random.nextInt(2, 120);
      int values = random.nextInt(1, 12);
      double[] x = random.ints(length, 0, values).asDoubleStream().toArray();
      double[] y = random.doubles(length).toArray();

      double[] ranks = RankCorrelation.ranks(x);

      assertThat(ranks).containsExactly(definedRanks(x));
      assertThat(RankCorrelation.pearson(ranks, y)).isCloseTo(defined(ranks, y), within(EXACT));
      assertThat(RankCorrelation.atLag(x, y, 0))
          .isCloseTo(defined(definedRanks(x), definedRanks(y)), within(EXACT));
    }
  }

  @Test
  void aSeriesThatNeverMovesIsCorrelatedWithNothing() {
    assertThat(RankCorrelation.pearson(new double[] {3, 3, 3}, new double[] {1, 2, 3})).isZero();
  }

  @Test
  void shiftsThatTieCountAsTies() {
    // Two spikes half the length apart meet again once, at the shift of a hundred.
    double[] spikes = new double[200];
    spikes[10] = 5;
    spikes[110] = 5;
    RankCorrelation.Test test = RankCorrelation.circularShift(spikes, spikes, 0, 0, 1);
    assertThat(test.statistic()).isCloseTo(1, within(EXACT));
    assertThat(test.pValue()).isEqualTo(2.0 / 200);
  }

  private static double[] definedRanks(double[] values) {
    return Arrays.stream(values)
        .map(
            value ->
                Arrays.stream(values).filter(other -> other < value).count()
                    + (1 + Arrays.stream(values).filter(other -> other == value).count()) / 2.0)
        .toArray();
  }

  private static double defined(double[] x, double[] y) {
    double meanX = Arrays.stream(x).average().orElseThrow();
    double meanY = Arrays.stream(y).average().orElseThrow();
    double both = 0;
    double squareX = 0;
    double squareY = 0;
    for (int i = 0; i < x.length; i++) {
      both += (x[i] - meanX) * (y[i] - meanY);
      squareX += (x[i] - meanX) * (x[i] - meanX);
      squareY += (y[i] - meanY) * (y[i] - meanY);
    }
    return squareX > 0 && squareY > 0 ? both / Math.sqrt(squareX * squareY) : 0;
  }
}
