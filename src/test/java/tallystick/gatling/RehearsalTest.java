package tallystick.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  @Test
  void goesOnUntilEachPieceOfCodeWasCalledOftenEnough() {
    assertThat(Rehearsal.isLevel(400, blocks(5, 5))).isFalse();
    assertThat(Rehearsal.isLevel(600, blocks(9, 5, 5))).isTrue();
  }

  @Test
  void goesOnWhileEachBlockIsFasterThanTheOneBefore() {
    assertThat(Rehearsal.isLevel(600, blocks(900, 500, 300))).isFalse();
    assertThat(Rehearsal.isLevel(800, blocks(900, 500, 300, 280))).isTrue();
  }

  @Test
  void aMachineThatGotSlowerIsNoReasonToGoOn() {
    assertThat(Rehearsal.isLevel(600, blocks(9, 5, 50))).isTrue();
  }

  @Test
  void judgesWholeBlocksOnly() {
    assertThat(Rehearsal.isLevel(702, blocks(9, 5, 5))).isFalse();
    assertThat(Rehearsal.isLevel(600, blocks(5))).isFalse();
  }

  /** Times from start to written: 200 requests of each. */
  private static List<Long> blocks(long... nanos) {
    List<Long> writes = new ArrayList<>();
    for (long each : nanos) {
      for (int i = 0; i < 200; i++) {
        writes.add(each);
      }
    }
    return writes;
  }
}
