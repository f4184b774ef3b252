package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RisingLoadTest {

  @Test
  void startsThatGrowAlongALineAreARamp() {
    assertThat(
            RisingLoad.isRising(
                new long[] {100, 118, 131, 140, 163, 171, 185, 190, 214, 219, 238, 251}))
        .isTrue();
  }

  @Test
  void chanceAJumpAndAWaveAreNone() {
    assertThat(
            RisingLoad.isRising(
                new long[] {100, 97, 104, 99, 101, 106, 98, 100, 103, 105, 99, 102}))
        .isFalse();
    assertThat(
            RisingLoad.isRising(
                new long[] {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 300, 300}))
        .isFalse();
    assertThat(
            RisingLoad.isRising(
                new long[] {100, 150, 187, 200, 187, 150, 100, 50, 13, 0, 13, 50}))
        .isFalse();
    assertThat(
            RisingLoad.isRising(
                new long[] {100, 101, 102, 103, 104, 105, 106, 107, 108, 108, 109, 109}))
        .isFalse();
  }
}
