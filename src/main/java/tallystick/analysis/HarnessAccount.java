package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;

/** What the harness noted of itself, gathered in one pass; nanoseconds after the run's origin. */
final class HarnessAccount {
  /** Pauses shorter than this cannot make a stall that anybody counts. */
  private static final long SHORTEST_PAUSE_NANOS = 20_000_000L;

  private static final int PAUSE_LIMIT = 10_000;
  private static final int CPU_LIMIT = 100_000;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final List<Mark> marks = new ArrayList<>();
  private final SampleSet stalls = new SampleSet();
  private final SampleSet wakeUps = new SampleSet();
  private final List<long[]> pauses = new ArrayList<>();
  private final List<HarnessRow.Cpu> cpu = new ArrayList<>();
  private HarnessRow.Progress lastProgress = new HarnessRow.Progress(0, 0, 0, 0, 0);
  private long gcPauses;
  private long gcNanos;
  private long droppedRows;
  private double coreSum;
  private long coreCount;
  private long lastNoteNanos;

  void read(HarnessRow row) {
    lastNoteNanos = Math.max(lastNoteNanos, row.atNanos());
    switch (row) {
      case Mark mark -> marks.add(mark);
      case HarnessRow.Progress progress -> lastProgress = progress;
      case HarnessRow.GcPause pause -> countPause(pause);
      case HarnessRow.Stall stall -> countStall(stall);
      case HarnessRow.WakeUps second -> countWakeUps(second);
      case HarnessRow.Cpu second -> countCpu(second);
      case HarnessRow.Dropped dropped -> droppedRows += dropped.rows();
    }
  }

  /** When a step happened last; empty if it never did. */
  OptionalLong at(Mark.Kind kind) {
    return marks.stream().filter(mark -> mark.kind() == kind).mapToLong(Mark::atNanos).max();
  }

  /** All marks of a kind. */
  List<Mark> all(Mark.Kind kind) {
    return marks.stream().filter(mark -> mark.kind() == kind).toList();
  }

  HarnessRow.Progress lastProgress() {
    return lastProgress;
  }

  SampleSet stalls() {
    return stalls;
  }

  /**
   * How late a thread woke, at moments evenly spread over the window: a sleep that lasted several
   * ticks too long stands for each wake-up it swallowed.
   */
  SampleSet wakeUps() {
    return wakeUps;
  }

  long gcPauses() {
    return gcPauses;
  }

  double gcSeconds() {
    return gcNanos / 1e9;
  }

  long droppedRows() {
    return droppedRows;
  }

  Figure processCores() {
    return coreCount == 0 ? Figure.missing("not noted") : Figure.of(coreSum / coreCount);
  }

  /** What the receiver of traces counted when it closed; empty where none was open. */
  String traceReception() {
    return all(Mark.Kind.TRACES_CLOSED).stream().map(Mark::detail).findFirst().orElse("");
  }

  /** The last moment the harness noted anything. */
  long lastNoteNanos() {
    return lastNoteNanos;
  }

  /** Length of the measured window as far as it was noted. */
  double windowSeconds() {
    long from = at(Mark.Kind.WINDOW_ORIGIN).orElse(0);
    return (at(Mark.Kind.WINDOW_DRAINED).orElse(lastNoteNanos) - from) / 1e9;
  }

  /** Whether the load process stood still for half of a stretch or more. */
  boolean stoodStill(long fromNanos, long toNanos) {
    return stillNanos(fromNanos, toNanos) * 2 >= toNanos - fromNanos;
  }

  private long stillNanos(long fromNanos, long toNanos) {
    long still = 0;
    for (long[] pause : pauses) {
      still += Math.max(0, Math.min(toNanos, pause[1]) - Math.max(fromNanos, pause[0]));
    }
    return still;
  }

  /** How the load process fared in each second of the window: cores used, time it stood still. */
  List<Timeline.Track> tracks(Window window) {
    List<HarnessRow.Cpu> noted =
        cpu.stream().filter(row -> window.isUnderLoad(row.atNanos())).toList();
    double[] seconds =
        noted.stream().mapToDouble(row -> window.secondsAfterOrigin(row.atNanos())).toArray();
    double[] cores = noted.stream().mapToDouble(HarnessRow.Cpu::processCores).toArray();
    double[] still =
        noted.stream()
            .mapToDouble(row -> stillNanos(row.atNanos() - SECOND_NANOS, row.atNanos()) / 1e9)
            .toArray();
    return List.of(
        new Timeline.Track("process_cores", "count", "", seconds, cores),
        new Timeline.Track("stood_still", "seconds", "", seconds, still));
  }

  private void notePause(long endNanos, long lengthNanos) {
    if (pauses.size() < PAUSE_LIMIT && lengthNanos >= SHORTEST_PAUSE_NANOS) {
      pauses.add(new long[] {endNanos - lengthNanos, endNanos});
    }
  }

  private void countPause(HarnessRow.GcPause pause) {
    notePause(pause.atNanos(), pause.pauseNanos());
    if (inWindow(pause.atNanos())) {
      gcPauses++;
      gcNanos += pause.pauseNanos();
    }
  }

  private void countStall(HarnessRow.Stall stall) {
    notePause(stall.atNanos(), stall.stallNanos());
    if (inWindow(stall.atNanos())) {
      stalls.add(stall.stallNanos());
    }
  }

  private void countWakeUps(HarnessRow.WakeUps row) {
    if (inWindow(row.atNanos())) {
      for (long late : row.lateNanos()) {
        wakeUps.add(late);
        for (long rest = late - row.everyNanos(); rest > 0; rest -= row.everyNanos()) {
          wakeUps.add(rest);
        }
      }
    }
  }

  private void countCpu(HarnessRow.Cpu row) {
    if (inWindow(row.atNanos()) && !Double.isNaN(row.processCores())) {
      coreSum += row.processCores();
      coreCount++;
    }
    if (cpu.size() < CPU_LIMIT) {
      cpu.add(row);
    }
  }

  /** Rows come in order of time, so the marks read so far tell whether the window is open. */
  private boolean inWindow(long nanos) {
    OptionalLong origin = at(Mark.Kind.WINDOW_ORIGIN);
    OptionalLong drained = at(Mark.Kind.WINDOW_DRAINED);
    boolean warming = origin.isEmpty() && at(Mark.Kind.WARMUP_ORIGIN).isPresent();
    return !warming
        && nanos >= origin.orElse(0)
        && (drained.isEmpty() || nanos <= drained.getAsLong());
  }
}
