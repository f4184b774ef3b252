package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartGateTest {
  private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  private static final int THREADS = 32;

  private final StartGate gate = new StartGate();

  @Test
  void letsNobodyGoBeforeTheMomentHoweverManyWait() {
    long moment = System.nanoTime() + AHEAD_NANOS;
    List<CompletableFuture<Long>> passed = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      passed.add(
          CompletableFuture.supplyAsync(
              () -> gate.await(moment), task -> new Thread(task).start()));
    }

    assertThat(passed).extracting(CompletableFuture::join).allMatch(nanos -> nanos - moment >= 0);
  }

  @Test
  void waitsForNoMomentThatIsPast() {
    long before = System.nanoTime();

    assertThat(gate.await(before - 1)).isGreaterThanOrEqualTo(before);
  }
}
