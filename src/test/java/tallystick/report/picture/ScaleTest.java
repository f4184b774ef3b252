package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Timeline.Track;

class ScaleTest {
  private static final Scale TEN = Scale.exactly(0, 10, 5);

  @Test
  void endsAtARoundNumberAboveTheLargestValue() {
    assertThat(Scale.fromZero(0.83, 3).high()).isEqualTo(1.0);
    assertThat(Scale.wholeFromZero(13, 3).ticks()).containsExactly(0.0, 5.0, 10.0, 15.0);
    assertThat(Scale.wholeFromZero(0, 3).high()).isEqualTo(1);
  }

  @Test
  void turnsLogarithmicWhereOneLineWouldLieFlat() {
    assertThat(Scale.latency(0.05, 0.2, 3).logarithmic()).isFalse();
    Scale wide = Scale.latency(0.014, 0.61, 3);
    assertThat(wide.logarithmic()).isTrue();
    assertThat(wide.low()).isEqualTo(0.01);
    assertThat(wide.high()).isEqualTo(1);
    assertThat(wide.position(0.1)).isCloseTo(0.5, org.assertj.core.api.Assertions.within(1e-9));
  }

  @Test
  void namesRoundTimesWhereTheAxisDoesNotBeginAtOne() {
    assertThat(Scale.exactly(-0.0447, 37.9, 8).ticks())
        .containsExactly(0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0);
  }

  @Test
  void letsNoChunksReadTogetherPressTheOthersFlat() {
    Scale scale = Scale.latency(0.000_003, 0.4, 3);
    assertThat(scale.low()).isEqualTo(0.001);
    assertThat(scale.position(0.000_003)).isZero();
  }

  @Test
  void survivesATrackWithoutValues() {
    assertThat(Scale.latency(Double.POSITIVE_INFINITY, 0, 3).high()).isEqualTo(1);
  }

  @Test
  void drawsAValueOverTheTimeNearestToItAndLeavesAHole() {
    double hole = Double.NaN;
    double[] at = {0, 2, 4, 6, 8, 10};
    Track track = new Track("t", "seconds", "", at, new double[] {0, 5, hole, 10, hole, 5});
    assertThat(new PlotPath(track, false, TEN, TEN).line())
        .isEqualTo("M0 100H100V50H300M500 0H700M900 50H1000");
    assertThat(new PlotPath(track, false, TEN, TEN).area())
        .isEqualTo("M0 100V100H100V50H300V100ZM500 100V0H700V100ZM900 100V50H1000V100Z");
  }

  @Test
  void drawsWhatGrewOverTheTimeSinceTheValueBeforeIt() {
    double hole = Double.NaN;
    double[] at = {0, 2, 4, 6, 8};
    Track track = new Track("t", "tokens/s", "", at, new double[] {hole, 5, hole, 10, hole});
    assertThat(new PlotPath(track, true, TEN, TEN).line()).isEqualTo("M0 50H200V0H600");
    assertThat(new PlotPath(track, true, TEN, TEN).bars())
        .isEqualTo("M0 100V50H200V100ZM200 100V0H600V100Z");
  }

  @Test
  void drawsAValueThatIsAloneInItsTrack() {
    Track track = new Track("t", "seconds", "", new double[] {5}, new double[] {5});
    assertThat(new PlotPath(track, false, TEN, TEN).line()).isEqualTo("M475 50H525");
  }
}
