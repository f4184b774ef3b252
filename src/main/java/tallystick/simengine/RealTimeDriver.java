package tallystick.simengine;

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
  /** The most by which a step's outcome is worked out before its end, so that it goes out then. */
  private static final long MOST_LEAD_NANOS = 1_000_000;

  /** A lead is this part of its step. */
  private static final int LEAD_DIVISOR = 10;

  private static final long SLICE_NANOS = 100_000_000;
  private static final long JOIN_MILLIS = 5_000; // a bound, so that an end is an end

  private final EngineCore core;
  private final ApiServer apiServer;
  private final Outbox outbox;
  private final long originNanoTime;
  private final Queue<TimedAction> arrivals = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<TimedAction> due = new PriorityQueue<>();
  private final Queue<Runnable> cancellations = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean isClosed;
  private volatile long plannedEndNanos;
  private long arrivalCount;
  private boolean isPaused;

  /**
   * A driver.
   *
   * @param outbox where the core's receivers put what goes out at the end of each step
   * @param originNanoTime where its clock starts, as {@link System#nanoTime} says
   */
  RealTimeDriver(EngineCore core, ApiServer apiServer, Outbox outbox, long originNanoTime) {
    this.core = core;
    this.apiServer = apiServer;
    this.outbox = outbox;
    this.originNanoTime = originNanoTime;
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
    arrivals.add(new TimedAction(atNanos, 0, command));
    LockSupport.unpark(thread);
  }

  /** Looks again at what the API server has to do. */
  void wake() {
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
    boolean isContinued = false;
    while (!isClosed) {
      takeArrivals();
      drain(cancellations);
      if (isPaused || !core.hasWork()) {
        isContinued = false;
        outbox.send(System.nanoTime());
        awaitCommand();
        continue;
      }
      isContinued &= !standStill();
      long now = nanos();
      long duration = core.beginStep(now);
      // A profile's duration is from step to step, so what the driver itself takes counts into the
      // next step and does not add up. After a pause of the process there is nothing to catch up.
      boolean isOnTime = isContinued && now - plannedEndNanos <= duration / 4;
      plannedEndNanos = (isOnTime ? plannedEndNanos : now) + duration;
      isContinued = true;
      // Nothing can change the outcome of a step but a cancellation; one that comes within the lead
      // meets the next step, as one does in vLLM that comes while outputs are being processed.
      waitUntil(plannedEndNanos - Math.min(MOST_LEAD_NANOS, duration / LEAD_DIVISOR));
      drain(cancellations);
      long end = Math.max(plannedEndNanos, nanos());
      int tokens = core.endStep(end);
      outbox.send(originNanoTime + plannedEndNanos);
      waitUntil(end);
      apiServer.advance(end);
      apiServer.send(end, tokens);
    }
  }

  private void takeArrivals() {
    apiServer.advance(nanos());
    for (TimedAction next = arrivals.poll(); next != null; next = arrivals.poll()) {
      due.add(new TimedAction(next.atNanos(), arrivalCount++, next.action()));
    }
    while (!due.isEmpty() && due.peek().atNanos() <= nanos()) {
      due.remove().action().run();
    }
  }

  private void awaitCommand() {
    if (!arrivals.isEmpty() || !cancellations.isEmpty()) {
      return;
    }
    long next = apiServer.nextNanos();
    if (!due.isEmpty()) {
      next = Math.min(next, due.peek().atNanos());
    }
    if (next == ApiServer.NEVER) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, Math.max(1, next - nanos()));
    }
  }

  /** A stall on demand; whether there was one. */
  private boolean standStill() {
    long now = nanos();
    long until = core.stillUntil(now);
    waitUntil(until);
    return until > now;
  }

  /** Waits, in slices short enough that closing need not wait for a long stall. */
  private void waitUntil(long endNanos) {
    for (long now = nanos(); now < endNanos && !isClosed; now = nanos()) {
      PreciseSleep.until(originNanoTime + Math.min(endNanos, now + SLICE_NANOS));
    }
  }

  private static void drain(Queue<Runnable> commands) {
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      command.run();
    }
  }
}
