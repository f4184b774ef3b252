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
  void leavesAHoleInTheLineAndDrawsALonePointAsADot() {
    double hole = Double.NaN;
    double[] at = {0, 2, 4, 6, 8, 10};
    Track track = new Track("t", "seconds", "", at, new double[] {0, 5, hole, 10, hole, 5});
    assertThat(PlotPath.line(track, TEN, TEN)).isEqualTo("M0 100L200 50");
    assertThat(PlotPath.dots(track, TEN, TEN)).isEqualTo("M600 0h0M1000 50h0");
  }

  @Test
  void drawsABarOverTheTimeItsDeltaBelongsTo() {
    Track track =
        new Track("t", "count", "", new double[] {0, 5, 10}, new double[] {Double.NaN, 0, 10});
    assertThat(PlotPath.bars(track, TEN, TEN)).isEqualTo("M500 100L500 0L1000 0L1000 100Z");
  }
}
