package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackgroundReaderTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 10_000})
  void allIsDoneInOrderWhenItHasEnded(int pieces) {
    BackgroundReader lane = new BackgroundReader();
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      int piece = i;
      lane.add(() -> done.add(piece));
    }
    lane.end();
    assertThat(done).isEqualTo(IntStream.range(0, pieces).boxed().toList());
  }

  @Test
  void fewPiecesNeedNoThread() {
    BackgroundReader lane = new BackgroundReader();
    Set<Thread> threads = new HashSet<>();
    for (int i = 0; i < 255; i++) {
      lane.add(() -> threads.add(Thread.currentThread()));
    }
    lane.end();
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void whatFailsIsToldAndNotSwallowed() {
    BackgroundReader lane = new BackgroundReader();
    for (int i = 0; i < 300; i++) {
      lane.add(() -> {
            throw new IllegalArgumentException("broken row");
          });
    }
    assertThatThrownBy(lane::end).hasRootCauseMessage("broken row");
  }
}
