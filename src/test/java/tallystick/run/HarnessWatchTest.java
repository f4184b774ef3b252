package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.RunClock;

/** In virtual time, except for the collection, which only a JVM can make. */
class HarnessWatchTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private final VirtualMachine machine = new VirtualMachine();
  private final List<HarnessRow> rows = new ArrayList<>();
  private int seconds;
  private final HarnessWatch watch =
      new HarnessWatch(
          RunClock.virtual(0, () -> machine.now), rows::add, () -> seconds++, machine);

  /** Sleeps as long as it is asked to, and then as much longer as the test wants. */
  private static final class VirtualMachine implements HarnessWatch.Machine {
    private long now;
    private long cpu;
    private long lateNanos;
    private double coresOfTheProcess;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      now += nanos + lateNanos;
      cpu += Math.round((nanos + lateNanos) * coresOfTheProcess);
    }

    @Override
    public long processCpuNanos() {
      return cpu;
    }

    @Override
    public double machineCores() {
      return 1.5;
    }
  }

  private void tick(int times, long lateNanos) {
    machine.lateNanos = lateNanos;
    for (int i = 0; i < times; i++) {
      watch.tick();
    }
  }

  private <T> List<T> noted(Class<T> kind) {
    return of(rows, kind);
  }

  private static <T> List<T> of(List<HarnessRow> all, Class<T> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void aSleepThatLastsTwentyMillisecondsTooLongIsAStall() {
    tick(1, 20 * MILLI - 1);
    assertThat(rows).isEmpty();
    tick(1, 20 * MILLI);
    assertThat(rows).containsExactly(new HarnessRow.Stall(50 * MILLI - 1, 20 * MILLI));
  }

  @Test
  void eachSecondNotesTheCoresUsedInItAndHowLateEachSleepEnded() {
    machine.coresOfTheProcess = 0.25;
    tick(199, 0);
    assertThat(rows).isEmpty();
    tick(1, 0);
    machine.coresOfTheProcess = 0.75;
    tick(100, 5 * MILLI);

    assertThat(seconds).isEqualTo(2);
    assertThat(noted(HarnessRow.Cpu.class))
        .containsExactly(
            new HarnessRow.Cpu(SECOND, 0.25, 1.5), new HarnessRow.Cpu(2 * SECOND, 0.75, 1.5));
    assertThat(noted(HarnessRow.WakeUps.class))
        .containsExactly(
            new HarnessRow.WakeUps(SECOND, 5 * MILLI, Collections.nCopies(200, 0L)),
            new HarnessRow.WakeUps(2 * SECOND, 5 * MILLI, Collections.nCopies(100, 5 * MILLI)));
  }

  @Test
  void aSleepThatIsCutShortIsNotLate() {
    tick(1, -3 * MILLI);
    tick(200, 0);
    assertThat(noted(HarnessRow.WakeUps.class).get(0).lateNanos()).containsOnly(0L);
  }

  @Test
  void aStallOfSecondsIsFollowedByOneNoteAndNotByOneForEachSecond() {
    tick(1, 3 * SECOND);
    tick(1, 0);
    assertThat(noted(HarnessRow.Cpu.class)).hasSize(1);
    tick(250, 0);
    assertThat(noted(HarnessRow.Cpu.class)).hasSize(2);
    assertThat(seconds).isEqualTo(2);
  }

  @Test
  void concurrentCyclesAreNoPauses() {
    assertThat(
            List.of(
                "ZGC Minor Pauses", "ZGC Major Pauses", "G1 Young Generation", "Copy"))
        .allMatch(HarnessWatch::isPausing);
    assertThat(List.of("ZGC Minor Cycles", "ZGC Major Cycles", "G1 Concurrent GC"))
        .noneMatch(HarnessWatch::isPausing);
  }

  @Test
  void aCollectionThatStopsTheProcessIsNoted() throws Exception {
    List<HarnessRow> all = new CopyOnWriteArrayList<>();
    List<HarnessRow.GcPause> asked;
    try (HarnessWatch live = new HarnessWatch(RunClock.start(), all::add, () -> {})) {
      live.start();
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      do {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(100);
        asked =
            of(all, HarnessRow.GcPause.class).stream()
                .filter(pause -> pause.cause().contains("System.gc"))
                .toList();
      } while (asked.isEmpty() && System.nanoTime() < limit);
    }
    assertThat(asked).as("among %s", all).isNotEmpty();
    assertThat(asked).allMatch(pause -> pause.pauseNanos() >= 0);
  }
}
