package tallystick.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.RunClock;

/**
 * Notes when the load process did not run although it wanted to: collections, stalls, how late a
 * sleeper woke, CPU. One thread of its own.
 */
final class HarnessWatch implements AutoCloseable {
  static final long TICK_NANOS = 5_000_000L; // a quarter of a stall, and only 200 wake-ups a second

  /** G1's young collections take 20 to 40 ms; what is shorter shows in the wake-ups. */
  static final long STALL_NANOS = 20_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** What the watch reads, and how it sleeps. */
  interface Machine {
    /** {@link System#nanoTime}. */
    long nanoTime();

    /** Sleeps about so long. */
    void sleep(long nanos);

    /** CPU time of this process so far, nanoseconds. */
    long processCpuNanos();

    /** Cores used by everything on the machine; NaN where not known. */
    double machineCores();
  }

  private final RunClock clock;
  private final Consumer<HarnessRow> sink;
  private final Runnable eachSecond;
  private final Machine machine;
  private final NotificationListener collections = (note, handback) -> noteCollection(note);
  private final Thread thread = new Thread(this::watch, "harness-watch");
  private List<Long> delays = new ArrayList<>();
  private long secondBegan;
  private long cpuBefore;
  private long nextSecond;
  private volatile boolean closed;

  /**
   * A watch that has not begun.
   *
   * @param eachSecond is run once a second on the watch's thread; must be short
   */
  HarnessWatch(RunClock clock, Consumer<HarnessRow> sink, Runnable eachSecond) {
    this(clock, sink, eachSecond, new RealMachine());
  }

  HarnessWatch(
      RunClock clock, Consumer<HarnessRow> sink, Runnable eachSecond, Machine machine) {
    this.clock = clock;
    this.sink = sink;
    this.eachSecond = eachSecond;
    this.machine = machine;
    begin(machine.nanoTime());
    nextSecond = secondBegan + SECOND_NANOS;
  }

  void start() {
    pausing().forEach(bean -> bean.addNotificationListener(collections, null, null));
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    for (NotificationEmitter bean : pausing()) {
      try {
        bean.removeNotificationListener(collections);
      } catch (ListenerNotFoundException e) {
        // It was never started.
      }
    }
  }

  private static List<NotificationEmitter> pausing() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(bean -> isPausing(bean.getName()))
        .map(NotificationEmitter.class::cast)
        .toList();
  }

  /** Concurrent cycles do not stop the process; their duration is no pause. */
  static boolean isPausing(String collector) {
    return !collector.contains("Concurrent") && !collector.contains("Cycles");
  }

  /** Sleeps one tick and notes what came of it. */
  void tick() {
    long asked = machine.nanoTime() + TICK_NANOS;
    machine.sleep(TICK_NANOS);
    long now = machine.nanoTime();
    // A sleep may be cut short; then nobody woke late.
    delays.add(Math.max(0, now - asked));
    if (now - asked >= STALL_NANOS) {
      sink.accept(new HarnessRow.Stall(clock.fromNanoTime(now), now - asked));
    }
    if (now >= nextSecond) {
      noteSecond(now);
    }
  }

  private void watch() {
    while (!closed) {
      tick();
    }
  }

  private void begin(long now) {
    secondBegan = now;
    cpuBefore = machine.processCpuNanos();
  }

  private void noteSecond(long now) {
    long at = clock.fromNanoTime(now);
    double cores = (double) (machine.processCpuNanos() - cpuBefore) / (now - secondBegan);
    sink.accept(new HarnessRow.Cpu(at, cores, machine.machineCores()));
    sink.accept(new HarnessRow.WakeUps(at, TICK_NANOS, delays));
    delays = new ArrayList<>();
    eachSecond.run();
    begin(now);
    // After a long stall there is one note for all the seconds that passed.
    nextSecond += SECOND_NANOS * ((now - nextSecond) / SECOND_NANOS + 1);
  }

  private void noteCollection(javax.management.Notification note) {
    if (note.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GarbageCollectionNotificationInfo info =
          GarbageCollectionNotificationInfo.from((CompositeData) note.getUserData());
      sink.accept(
          new HarnessRow.GcPause(
              clock.nanos(),
              info.getGcInfo().getDuration() * NANOS_PER_MILLI,
              info.getGcName() + ": " + info.getGcCause()));
    }
  }

  private static final class RealMachine implements Machine {
    private final OperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
      LockSupport.parkNanos(nanos);
    }

    @Override
    public long processCpuNanos() {
      return system.getProcessCpuTime();
    }

    @Override
    public double machineCores() {
      double load = system.getCpuLoad();
      return load < 0 ? Double.NaN : load * Runtime.getRuntime().availableProcessors();
    }
  }
}
