package tallystick.simengine;

import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Moves an engine on in real time, on a thread of its own.
 *
 * <p>Arrivals are taken in between steps only; cancellations also while the model runs, as in
 * vLLM's engine core.
 */
final class RealTimeDriver implements AutoCloseable {
  /** A park returns this much late on an idle Linux; the rest of a step is spun. */
  private static final long PARK_LATENESS_NANOS = 60_000;

  private static final long JOIN_MILLIS = 5_000;

  private final EngineCore core;
  private final Runnable afterStep;
  private final List<Fault.Stall> stalls;
  private final long originNanoTime;
  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final Queue<Arrival> due = new PriorityQueue<>();
  private final Queue<Runnable> cancellations = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean isClosed;
  private long arrivalCount;
  private boolean isPaused;

  /** A command for the engine's thread; equal times keep their order. */
  private record Arrival(long atNanos, long order, Runnable command)
      implements Comparable<Arrival> {
    @Override
    public int compareTo(Arrival other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /**
   * A driver whose clock starts now.
   *
   * @param afterStep called on the driver's thread after each step's deliveries
   */
  RealTimeDriver(EngineCore core, List<Fault> faults, Runnable afterStep) {
    this.core = core;
    this.afterStep = afterStep;
    this.stalls =
        faults.stream()
            .filter(Fault.Stall.class::isInstance)
            .map(Fault.Stall.class::cast)
            .toList();
    this.originNanoTime = System.nanoTime();
    this.thread = new Thread(this::run, "engine-core");
    thread.setDaemon(true);
    thread.start();
  }

  /** Nanoseconds since the engine's start. */
  long nanos() {
    return System.nanoTime() - originNanoTime;
  }

  /** Runs a command on the engine's thread in between steps, at the time given or after it. */
  void arrive(long atNanos, Runnable command) {
    arrivals.add(new Arrival(atNanos, 0, command));
    LockSupport.unpark(thread);
  }

  /** Runs a command on the engine's thread before the step in progress ends. */
  void cancel(Runnable command) {
    cancellations.add(command);
    LockSupport.unpark(thread);
  }

  /** Begins no further step until resumed; called on the engine's thread. */
  void pause() {
    isPaused = true;
  }

  /** Goes on; called on the engine's thread. */
  void resume() {
    isPaused = false;
  }

  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isClosed) {
      takeArrivals();
      drain(cancellations);
      if (isPaused || !core.hasWork()) {
        afterStep.run();
        awaitCommand();
        continue;
      }
      standStill();
      long begin = nanos();
      long duration = core.beginStep(begin);
      waitUntil(begin + duration);
      drain(cancellations);
      core.endStep(nanos());
      afterStep.run();
    }
  }

  private void takeArrivals() {
    for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
      due.add(new Arrival(next.atNanos(), arrivalCount++, next.command()));
    }
    while (!due.isEmpty() && due.peek().atNanos() <= nanos()) {
      due.remove().command().run();
    }
  }

  private void awaitCommand() {
    if (!arrivals.isEmpty() || !cancellations.isEmpty()) {
      return;
    }
    if (due.isEmpty()) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, Math.max(1, due.peek().atNanos() - nanos()));
    }
  }

  private void standStill() {
    long now = nanos();
    for (Fault.Stall stall : stalls) {
      if (now >= stall.atNanos() && now < stall.atNanos() + stall.forNanos()) {
        waitUntil(stall.atNanos() + stall.forNanos());
      }
    }
  }

  private void waitUntil(long endNanos) {
    long left = endNanos - nanos();
    while (left > 0 && !isClosed) {
      if (left > PARK_LATENESS_NANOS) {
        LockSupport.parkNanos(this, left - PARK_LATENESS_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = endNanos - nanos();
    }
  }

  private static void drain(Queue<Runnable> commands) {
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      command.run();
    }
  }
}
