package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LevelChangesTest {
  private static final LevelChanges.Rule RULE = new LevelChanges.Rule(5, 999, 0.04, 1.5);

  /** Noise of 5 %, and from a place on a step. */
  private static double[] series(long seed, int length, int at, double step) {
    SplittableRandom random = new SplittableRandom(seed * 7919);
    double[] series = new double[length];
    for (int i = 0; i < length; i++) {
      series[i] = 0.05 * random.nextGaussian() + (i >= at ? Math.log1p(step) : 0);
    }
    return series;
  }

  @Test
  void twoStepsAreFoundWhereTheyAre() {
    double[] series = new double[30];
    for (int i = 0; i < 30; i++) {
      series[i] = (i < 10 ? 1 : i < 20 ? 2 : 1.5) + 0.01 * (i % 3);
    }

    List<LevelChanges.Split> found = LevelChanges.in(series, RULE);

    assertThat(found.stream().map(LevelChanges.Split::at)).containsExactly(10, 20);
    assertThat(found).allMatch(split -> split.pValue() <= 0.04);
  }

  @Test
  void aLevelThatStaysHasNoChange() {
    double[] even = new double[40];
    Arrays.fill(even, 3);

    assertThat(LevelChanges.in(even, RULE)).isEmpty();
    assertThat(LevelChanges.in(new double[9], RULE)).isEmpty();
  }

  @Test
  void tooFewValuesAreThoseOfWhichNoOrderIsRareEnough() {
    // 10 things are parted in halves in 252 ways, two of which look as different: 0.8 %.
    assertThat(LevelChanges.fewest(new LevelChanges.Rule(3, 999, 0.008, 1))).isEqualTo(10);
    assertThat(LevelChanges.fewest(new LevelChanges.Rule(3, 999, 0.0079, 1))).isEqualTo(12);
    assertThat(LevelChanges.fewest(RULE)).isEqualTo(10);
  }

  @Test
  @Tag("stress")
  void chanceSeldomMakesAChangeAndAStepOfATenthIsMostlySeen() {
    int alarms = 0;
    int seen = 0;
    for (int i = 0; i < 200; i++) {
      alarms += LevelChanges.in(series(61_000 + i, 10 + i % 51, 99, 0), RULE).isEmpty() ? 0 : 1;
      seen += LevelChanges.in(series(62_000 + i, 20, 10, 0.1), RULE).isEmpty() ? 0 : 1;
    }

    assertThat(alarms).isLessThanOrEqualTo(14);
    assertThat(seen).isGreaterThanOrEqualTo(170);
  }
}
