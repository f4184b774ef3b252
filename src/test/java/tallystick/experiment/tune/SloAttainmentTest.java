package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SloAttainmentTest {
  /** Equal cells with these shares in their blocks. */
  static SloAttainment shares(double target, long requests, int cells, double... ofBlocks) {
    double[][] measured = new double[ofBlocks.length][cells];
    for (int block = 0; block < ofBlocks.length; block++) {
      Arrays.fill(measured[block], ofBlocks[block]);
    }
    long[] all = new long[cells];
    Arrays.fill(all, requests);
    return new SloAttainment(measured, all, target);
  }

  private static double holds(SloAttainment shares) {
    SplittableRandom random = new SplittableRandom(1);
    int blocks = shares.measured().length;
    int holds = 0;
    for (int i = 0; i < 2_000; i++) {
      int[] drawn = random.ints(blocks, 0, blocks).toArray();
      holds += shares.mayHold(0, drawn, shares.widening(), random) ? 1 : 0;
    }
    return holds / 2_000.0;
  }

  /** One bad request of 30 in each block: a share of 99.3 % does that in one tuning of ten. */
  @Test
  void equalSharesOfFewRequestsDoNotProveThatACellFails() {
    assertThat(holds(shares(0.99, 90, 1, 29 / 30.0, 29 / 30.0, 29 / 30.0))).isGreaterThan(0.005);
    assertThat(holds(shares(0.99, 3_000, 1, 29 / 30.0, 29 / 30.0, 29 / 30.0))).isZero();
  }

  /** Not one bad request of 90 does not prove 99 %; of 268 it does. */
  @Test
  void noBadRequestOfFewDoesNotProveThatACellHolds() {
    assertThat(holds(shares(0.99, 90, 1, 1, 1, 1))).isBetween(0.7, 0.93);
    assertThat(holds(shares(0.99, 268, 1, 1, 1, 1))).isCloseTo(0.95, within(0.015));
    assertThat(holds(shares(0.9, 90, 1, 1, 1, 1))).isGreaterThan(0.99);
  }
}
