package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionOrderTest {
  private static final long PREVIOUS = PlannedRequest.AFTER_PREVIOUS;

  @Test
  void turnsFollowEachOther() {
    List<PlannedRequest> turns = List.of(turn(0, 0, 0), turn(1, PREVIOUS, 5), turn(2, PREVIOUS, 7));
    SessionOrder order = new SessionOrder(turns);
    assertThat(order.begin()).containsExactly(turns.get(0));
    assertThat(order.ended(turns.get(0), 100)).containsExactly(turns.get(1));
    assertThat(order.dueNanos(turns.get(1))).isEqualTo(105);
    assertThat(order.isOver()).isFalse();
    assertThat(order.ended(turns.get(1), 200)).containsExactly(turns.get(2));
    assertThat(order.ended(turns.get(2), 300)).isEmpty();
    assertThat(order.isOver()).isTrue();
  }

  @Test
  void whoWaitsForSeveralStartsAfterTheLastOfThem() {
    List<PlannedRequest> turns =
        List.of(
            turn(0, 0, 0), turn(1, PREVIOUS, 1, 0), turn(2, PREVIOUS, 2, 0),
            turn(3, PREVIOUS, 10, 1, 2));
    SessionOrder order = new SessionOrder(turns);
    order.begin();
    assertThat(order.ended(turns.get(0), 100)).containsExactly(turns.get(1), turns.get(2));
    assertThat(order.ended(turns.get(2), 400)).isEmpty();
    assertThat(order.isOver()).isFalse();
    assertThat(order.ended(turns.get(1), 300)).containsExactly(turns.get(3));
    assertThat(order.dueNanos(turns.get(3))).isEqualTo(410);
  }

  /** Recorded sessions of agents have tens of thousands of calls. */
  @Test
  void noEndIsLookedForAmongAllTheOthers() {
    int[] looks = {0};
    List<PlannedRequest> turns =
        IntStream.range(0, 2_000).mapToObj(i -> turn(i, i == 0 ? 0 : PREVIOUS, 1)).toList();
    List<PlannedRequest> counted =
        new AbstractList<>() {
          @Override
          public PlannedRequest get(int index) {
            looks[0]++;
            return turns.get(index);
          }

          @Override
          public int size() {
            return turns.size();
          }
        };
    SessionOrder order = new SessionOrder(counted);
    List<PlannedRequest> ready = order.begin();
    for (int i = 0; i < turns.size(); i++) {
      assertThat(ready).containsExactly(turns.get(i));
      ready = order.ended(turns.get(i), i);
    }
    assertThat(order.isOver()).isTrue();
    assertThat(looks[0]).isLessThanOrEqualTo(3 * turns.size());
  }

  @Test
  void whatStartsWithTheFirstBeginsWithIt() {
    List<PlannedRequest> turns =
        List.of(turn(0, 0, 0), turn(1, PlannedRequest.AFTER_FIRST_START, 3));
    assertThat(new SessionOrder(turns).begin()).isEqualTo(turns);
  }

  @Test
  void whereOneIsGivenUpNothingElseStartsAndItIsOverWithTheLastUnderWay() {
    List<PlannedRequest> turns =
        List.of(turn(0, 0, 0), turn(1, PREVIOUS, 0, 0), turn(2, PREVIOUS, 0, 0),
            turn(3, PREVIOUS, 0, 1, 2));
    SessionOrder order = new SessionOrder(turns);
    order.begin();
    order.ended(turns.get(0), 1);
    order.giveUp();
    assertThat(order.ended(turns.get(1), 2)).isEmpty();
    assertThat(order.isOver()).isFalse();
    assertThat(order.ended(turns.get(2), 3)).isEmpty();
    assertThat(order.isOver()).isTrue();
  }

  private static PlannedRequest turn(int turn, long offset, long pause, Integer... after) {
    return new PlannedRequest(
        turn, "main", "default", 0, turn, offset, pause, Prompt.Synthetic.unique(4), 1, 1, 0,
        PlannedRequest.Cancel.NEVER, false, 0, List.of(after), false);
  }
}
