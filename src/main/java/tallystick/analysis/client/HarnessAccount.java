package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.statistics.SampleSet;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;

/**
 * What the harness noted of itself; nanoseconds after the run's origin. Read in two passes, because
 * only the marks of the first tell what of the second lies inside the window.
 */
public final class HarnessAccount {
  private static final int CPU_LIMIT = 100_000;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final List<Mark> marks = new ArrayList<>();
  private final List<HarnessRow.Scaling> moves = new ArrayList<>();
  private final SampleSet stalls = new SampleSet();
  private final SampleSet wakeUps = new SampleSet();
  private final ClientPauses still = new ClientPauses();
  private final List<HarnessRow.Cpu> cpu = new ArrayList<>();
  private HarnessRow.Progress lastProgress = new HarnessRow.Progress(0, 0, 0, 0, 0);
  private long mostInFlight;
  private boolean isProgressNoted;
  private long gcPauses;
  private long gcNanos;
  private long droppedRows;
  private double coreNanos;
  private long cpuNanos;
  private long lastCpuNanos = Long.MIN_VALUE;
  private long lastNoteNanos;
  private long rows;

  /** The first pass: marks, and what does not depend on the window. */
  public void read(HarnessRow row) {
    rows++;
    lastNoteNanos = Math.max(lastNoteNanos, row.atNanos());
    switch (row) {
      case Mark mark -> marks.add(mark);
      case HarnessRow.Progress progress -> countProgress(progress);
      case HarnessRow.GcPause pause -> still.add(pause.atNanos(), pause.pauseNanos());
      case HarnessRow.Stall stall -> still.add(stall.atNanos(), stall.stallNanos());
      case HarnessRow.WakeUps any -> {}
      case HarnessRow.Cpu any -> {}
      case HarnessRow.Dropped dropped -> droppedRows += dropped.rows();
      case HarnessRow.Scaling move -> moves.add(move);
    }
  }

  /**
   * The second pass: counts the part of a row that lies inside the window. A row tells of the time
   * before its moment, so one that reaches over an end of the window counts in part.
   */
  public void measure(HarnessRow row, MeasuredWindow window) {
    switch (row) {
      case HarnessRow.GcPause pause -> countPause(pause, window);
      case HarnessRow.Stall stall -> countStall(stall, window);
      case HarnessRow.WakeUps second -> countWakeUps(second, window);
      case HarnessRow.Cpu second -> countCpu(second, window);
      case Mark any -> {}
      case HarnessRow.Progress any -> {}
      case HarnessRow.Dropped any -> {}
      case HarnessRow.Scaling any -> {}
    }
  }

  /** The window that the marks tell. */
  public MeasuredWindow window(Settings settings) {
    Set<String> warmups =
        settings.phases().stream()
            .filter(Phase::warmup)
            .map(Phase::name)
            .collect(Collectors.toUnmodifiableSet());
    return new MeasuredWindow(
        at(Mark.Kind.WINDOW_ORIGIN).orElse(0),
        at(Mark.Kind.WINDOW_DRAINED).orElse(Long.MAX_VALUE),
        at(Mark.Kind.QUIET_BEFORE_WINDOW), at(Mark.Kind.QUIET_AFTER_WINDOW), warmups, false);
  }

  /** When a step happened last; empty if it never did. */
  public OptionalLong at(Mark.Kind kind) {
    return marks.stream().filter(mark -> mark.kind() == kind).mapToLong(Mark::atNanos).max();
  }

  /** All marks of a kind. */
  public List<Mark> all(Mark.Kind kind) {
    return marks.stream().filter(mark -> mark.kind() == kind).toList();
  }

  /** Targets that came and went, in order of time. */
  public TargetLifecycle moves() {
    return new TargetLifecycle(moves);
  }

  public HarnessRow.Progress lastProgress() {
    return lastProgress;
  }

  public SampleSet stalls() {
    return stalls;
  }

  /**
   * How late a thread woke, at moments evenly spread over the window: a sleep that lasted several
   * ticks too long stands for each wake-up it swallowed.
   */
  public SampleSet wakeUps() {
    return wakeUps;
  }

  public long gcPauses() {
    return gcPauses;
  }

  public double gcSeconds() {
    return gcNanos / 1e9;
  }

  public long droppedRows() {
    return droppedRows;
  }

  public Figure processCores() {
    return cpuNanos == 0 ? Figure.missing("not noted") : Figure.of(coreNanos / cpuNanos);
  }

  /** What the receiver of traces counted when it closed; empty where none was open. */
  public String traceReception() {
    return all(Mark.Kind.TRACES_CLOSED).stream().map(Mark::detail).findFirst().orElse("");
  }

  /** Rows of any kind. */
  public long rows() {
    return rows;
  }

  /** The last moment the harness noted anything. */
  public long lastNoteNanos() {
    return lastNoteNanos;
  }

  /** When the load process stood still, before the window too. */
  public ClientPauses still() {
    return still;
  }

  /** Requests in flight at the last note of progress. */
  public String lastNoteOfInFlight() {
    return isProgressNoted ? Long.toString(lastProgress.inFlight()) : "none";
  }

  /** Most requests in flight at a note of progress. */
  public Figure mostInFlight() {
    return isProgressNoted ? Figure.of(mostInFlight) : Figure.missing("not noted");
  }

  /** The CPU notes of the seconds under load. */
  public List<HarnessRow.Cpu> seconds(MeasuredWindow window) {
    return cpu.stream().filter(row -> window.isUnderLoad(row.atNanos())).toList();
  }

  /** How the load process fared in each second of the window: cores used, time it stood still. */
  public List<Timeline.Track> tracks(MeasuredWindow window) {
    List<HarnessRow.Cpu> noted = seconds(window);
    double[] seconds =
        noted.stream().mapToDouble(row -> window.secondsAfterOrigin(row.atNanos())).toArray();
    double[] cores = noted.stream().mapToDouble(HarnessRow.Cpu::processCores).toArray();
    double[] stood =
        noted.stream()
            .mapToLong(HarnessRow::atNanos)
            .mapToDouble(at -> still.nanosWithin(at - SECOND_NANOS, at) / 1e9)
            .toArray();
    return List.of(
        new Timeline.Track("process_cores", "count", "", seconds, cores),
        new Timeline.Track("stood_still", "seconds", "", seconds, stood));
  }

  private void countProgress(HarnessRow.Progress progress) {
    lastProgress = progress.atNanos() >= lastProgress.atNanos() ? progress : lastProgress;
    isProgressNoted = true;
    mostInFlight = Math.max(mostInFlight, progress.inFlight());
  }

  private void countPause(HarnessRow.GcPause pause, MeasuredWindow window) {
    long inside = window.nanosInside(pause.atNanos() - pause.pauseNanos(), pause.atNanos());
    if (inside > 0) {
      gcPauses++;
      gcNanos += inside;
    }
  }

  private void countStall(HarnessRow.Stall stall, MeasuredWindow window) {
    long inside = window.nanosInside(stall.atNanos() - stall.stallNanos(), stall.atNanos());
    if (inside > 0) {
      stalls.add(inside);
    }
  }

  /** A second's sleeps, one after the other, the last of them ending at the row's moment. */
  private void countWakeUps(HarnessRow.WakeUps row, MeasuredWindow window) {
    long woke = row.atNanos();
    for (int i = row.lateNanos().size() - 1; i >= 0; i--) {
      long late = row.lateNanos().get(i);
      if (window.isUnderLoad(woke)) {
        wakeUps.add(late);
        for (long rest = late - row.everyNanos(); rest > 0; rest -= row.everyNanos()) {
          wakeUps.add(rest);
        }
      }
      woke -= row.everyNanos() + late;
    }
  }

  private void countCpu(HarnessRow.Cpu row, MeasuredWindow window) {
    long from = lastCpuNanos == Long.MIN_VALUE ? row.atNanos() - SECOND_NANOS : lastCpuNanos;
    lastCpuNanos = row.atNanos();
    long inside = window.nanosInside(from, row.atNanos());
    if (inside > 0 && !Double.isNaN(row.processCores())) {
      coreNanos += row.processCores() * inside;
      cpuNanos += inside;
    }
    if (cpu.size() < CPU_LIMIT) {
      cpu.add(row);
    }
  }
}
