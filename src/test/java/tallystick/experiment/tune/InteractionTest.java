package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class InteractionTest {
  private static Interaction of(double entangled, long seed) {
    Random random = new Random(seed);
    double[][] costs = new double[3][9];
    for (int block = 0; block < 3; block++) {
      double common = random.nextGaussian();
      for (int cell = 0; cell < 9; cell++) {
        costs[block][cell] =
            common + 0.3 * (cell / 3) - 0.2 * (cell % 3)
                + (cell == 8 ? entangled : 0) + 0.02 * random.nextGaussian();
      }
    }
    return Interaction.of(Response.ITL_P99, costs, 3);
  }

  @Test
  void flagsThatActApartLookEntangledInOneOfTwenty() {
    int seen = 0;
    for (int seed = 0; seed < 400; seed++) {
      seen += of(0, seed).isSeen() ? 1 : 0;
    }
    assertThat(seen / 400.0).isCloseTo(0.05, within(0.03));
  }

  @Test
  void aCornerThatNeitherFlagExplainsIsSeen() {
    assertThat(of(0.3, 7).isSeen()).isTrue();
    assertThat(of(0.3, 7).largest()).isGreaterThan(0.1);
  }
}
