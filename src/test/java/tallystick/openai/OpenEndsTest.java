package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class OpenEndsTest {
  private static final SocketAddress ONE = InetSocketAddress.createUnresolved("one", 1);
  private static final SocketAddress OTHER = InetSocketAddress.createUnresolved("other", 1);

  private final OpenEnds ends = new OpenEnds();

  @Test
  void aServerThatLeavesSeveralOpenInARowIsHardlyWaitedForAnyMore() {
    for (int i = 0; i < 3; i++) {
      assertThat(ends.patienceNanos(ONE)).isEqualTo(OpenEnds.USUAL_NANOS);
      ends.ended(ONE, true);
    }

    assertThat(ends.patienceNanos(ONE)).isEqualTo(OpenEnds.SHORT_NANOS);
    assertThat(ends.patienceNanos(OTHER)).isEqualTo(OpenEnds.USUAL_NANOS);
  }

  @Test
  void oneGoodEndGivesTheServerItsTimeBack() {
    for (int i = 0; i < 5; i++) {
      ends.ended(ONE, true);
    }
    ends.ended(ONE, false);

    assertThat(ends.patienceNanos(ONE)).isEqualTo(OpenEnds.USUAL_NANOS);
  }
}
