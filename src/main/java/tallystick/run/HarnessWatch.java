package tallystick.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.RunClock;

/**
 * Notes when the load process did not run although it wanted to: collections, stalls, CPU. One
 * thread of its own.
 */
final class HarnessWatch implements AutoCloseable {
  private static final long TICK_NANOS = 5_000_000L;
  private static final long STALL_NANOS = 20_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final RunClock clock;
  private final Consumer<HarnessRow> sink;
  private final Runnable eachSecond;
  private final OperatingSystemMXBean machine;
  private final NotificationListener collections = (note, handback) -> noteCollection(note);
  private final Thread thread = new Thread(this::watch, "harness-watch");
  private volatile boolean closed;

  /**
   * A watch that has not begun.
   *
   * @param eachSecond is run once a second on the watch's thread; must be short
   */
  HarnessWatch(RunClock clock, Consumer<HarnessRow> sink, Runnable eachSecond) {
    this.clock = clock;
    this.sink = sink;
    this.eachSecond = eachSecond;
    this.machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  void start() {
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      // Concurrent cycles do not stop the process; their duration is no pause.
      if (!bean.getName().contains("Concurrent") && !bean.getName().contains("Cycles")) {
        ((NotificationEmitter) bean).addNotificationListener(collections, null, null);
      }
    }
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void watch() {
    long nextSecond = System.nanoTime() + SECOND_NANOS;
    long cpuBefore = machine.getProcessCpuTime();
    long cpuAt = System.nanoTime();
    while (!closed) {
      long asked = System.nanoTime() + TICK_NANOS;
      LockSupport.parkNanos(TICK_NANOS);
      long now = System.nanoTime();
      if (now - asked >= STALL_NANOS) {
        sink.accept(new HarnessRow.Stall(clock.fromNanoTime(now), now - asked));
      }
      if (now >= nextSecond) {
        long cpu = machine.getProcessCpuTime();
        double cores = (double) (cpu - cpuBefore) / (now - cpuAt);
        double load = machine.getCpuLoad();
        double machineCores =
            load < 0 ? Double.NaN : load * Runtime.getRuntime().availableProcessors();
        sink.accept(new HarnessRow.Cpu(clock.fromNanoTime(now), cores, machineCores));
        eachSecond.run();
        cpuBefore = cpu;
        cpuAt = now;
        nextSecond += SECOND_NANOS;
      }
    }
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
}
