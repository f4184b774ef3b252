package tallystick.virtualrun;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import tallystick.runrecord.HarnessRow;

/**
 * A world in whose client the load process stands still again and again: what happens meanwhile it
 * sees, and what it wanted to do meanwhile it does, when it goes on. The engine goes on.
 */
final class StarvedClient extends VirtualWorld {
  private static final double SECOND = 1e9;
  private static final long TICK_NANOS = 5_000_000L;
  private static final long STALL_NANOS = 20_000_000L;
  private static final long USUAL_NANOS = 60_000L;
  private static final long WAY_NANOS = 100_000L;

  /** When it stands still. */
  enum Manner {
    /** 15 ms of each 30, as under a quota. */
    SLICES,
    /** For up to 20 ms, half of the time: a busy core, on which every wake-up comes late. */
    LATE_WAKE_UPS,
    /** For 20 to 60 ms, every other second. */
    HICCUPS,
    /** For 0.3 to 2 s, about five times a minute. */
    FEW_LONG,
    /** For 0.3 to 1 s, half of the time. */
    HALF_LONG,
    /** For 50 to 150 ms, half of the time, in the second half of the run. */
    LAST_HALF,
    /** From 5 ms on, with a Pareto tail up to 2 s; an eighth of the time. */
    PARETO,
    /** Its starts alone are late, by up to 200 ms, half of the time, and come together. */
    LATE_STARTS
  }

  private final Manner manner;
  private final long[] from;
  private final long[] to;

  /** A client of a run that lasts about so long after its begin. */
  StarvedClient(Manner manner, double seconds, long seed) {
    super(new Shape(WAY_NANOS, 0, 0, 0, 0), seed);
    this.manner = manner;
    SplittableRandom random = new SplittableRandom(seed);
    List<long[]> all = new ArrayList<>();
    double at = manner == Manner.LAST_HALF ? seconds / 2 : 0;
    while (at < 2 * seconds) {
      at += running(manner, random);
      double still = still(manner, random);
      all.add(new long[] {(long) (at * SECOND), (long) ((at + still) * SECOND)});
      at += still;
    }
    from = all.stream().mapToLong(one -> one[0]).toArray();
    to = all.stream().mapToLong(one -> one[1]).toArray();
  }

  private static double running(Manner manner, SplittableRandom random) {
    return switch (manner) {
      case SLICES -> 0.015;
      case HICCUPS -> 4 * random.nextDouble();
      case FEW_LONG -> -12 * Math.log(1 - random.nextDouble());
      case PARETO -> -0.14 * Math.log(1 - random.nextDouble());
      case LATE_WAKE_UPS, HALF_LONG, LAST_HALF, LATE_STARTS -> still(manner, random);
    };
  }

  private static double still(Manner manner, SplittableRandom random) {
    return switch (manner) {
      case SLICES -> 0.015;
      case LATE_WAKE_UPS -> 0.02 * random.nextDouble();
      case HICCUPS -> random.nextDouble(0.02, 0.06);
      case FEW_LONG -> random.nextDouble(0.3, 2);
      case HALF_LONG -> random.nextDouble(0.3, 1);
      case LAST_HALF -> random.nextDouble(0.05, 0.15);
      case PARETO -> Math.min(2, 0.005 * Math.pow(1 - random.nextDouble(), -1 / 1.2));
      case LATE_STARTS -> 0.2 * random.nextDouble();
    };
  }

  @Override
  long noticed(long nanos) {
    return manner == Manner.LATE_STARTS ? nanos : begun(nanos);
  }

  @Override
  long begun(long nanos) {
    int next = Arrays.binarySearch(from, nanos);
    int last = next >= 0 ? next : -next - 2;
    return last >= 0 && nanos < to[last] ? to[last] : nanos;
  }

  /** What the watch of a real run would have noted: it sees no more of a stall than its sleeps. */
  List<HarnessRow> notes(long untilNanos) {
    List<HarnessRow> notes = new ArrayList<>();
    List<Long> late = new ArrayList<>();
    long now = 0;
    long second = 0;
    while (now < untilNanos) {
      long asked = now + TICK_NANOS;
      now = noticed(asked + USUAL_NANOS);
      late.add(now - asked);
      if (now - asked >= STALL_NANOS) {
        notes.add(new HarnessRow.Stall(now, now - asked));
      }
      if (now - second >= SECOND) {
        notes.add(new HarnessRow.WakeUps(now, TICK_NANOS, late));
        late = new ArrayList<>();
        second = now;
      }
    }
    return notes;
  }
}
