package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnClockTest {
  private static final long MILLI = 1_000_000L;

  /** From 195 to 300 ms, the sleep before it counted in, and as long again to 400 ms. */
  @Test
  void itStandsStillInAPauseAndAsLongAgainAfterIt() {
    ClientPauses pauses = new ClientPauses();
    assertThat(pauses.clock().neverStands()).isTrue();
    pauses.add(300 * MILLI, 100 * MILLI);
    pauses.add(1_000 * MILLI, 50 * MILLI);
    OwnClock clock = pauses.clock();

    assertThat(clock.at(195 * MILLI)).isEqualTo(195 * MILLI);
    assertThat(clock.at(250 * MILLI)).isEqualTo(195 * MILLI);
    assertThat(clock.at(400 * MILLI)).isEqualTo(195 * MILLI);
    assertThat(clock.at(500 * MILLI)).isEqualTo(295 * MILLI);
    assertThat(clock.at(2_000 * MILLI)).isEqualTo((2_000 - 205 - 105) * MILLI);
  }
}
