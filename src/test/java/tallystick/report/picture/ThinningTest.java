package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Timeline.Track;

class ThinningTest {
  private static final Scale DAY = Scale.exactly(0, 86_400, 8);

  @Test
  void leavesAShortTrackAlone() {
    Track track = new Track("t", "count", "", new double[] {0, 1}, new double[] {1, 2});
    assertThat(Thinning.of(track, DAY, 1_200)).isSameAs(track);
  }

  @Test
  void keepsEveryPeakAndEveryHoleOfALongDay() {
    double[] seconds = new double[86_400];
    double[] values = new double[86_400];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = i;
      values[i] = i % 7;
    }
    values[40_001] = 99;
    values[50_002] = -5;
    values[60_003] = Double.NaN;
    Track thin = Thinning.of(new Track("t", "count", "", seconds, values), DAY, 1_200);
    assertThat(thin.seconds().length).isLessThan(5 * 1_200);
    assertThat(thin.values()).contains(99, -5);
    assertThat(Arrays.stream(thin.values()).filter(Double::isNaN)).hasSize(1);
    assertThat(thin.seconds()).isSorted();
  }
}
