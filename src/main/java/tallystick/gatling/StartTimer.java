package tallystick.gatling;

import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs actions at their nanosecond, never before it. One thread that sleeps to the next due action;
 * actions must be short. Threads: {@link #at} may be called from any.
 */
final class StartTimer implements AutoCloseable {
  /** A new request and the end wake it sooner; this is only a bound. */
  private static final long LONGEST_SLEEP_NANOS = 100_000_000L;

  private record Due(long nanoTime, long order, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      long difference = nanoTime - other.nanoTime;
      return difference == 0 ? Long.compare(order, other.order) : Long.signum(difference);
    }
  }

  private final ConcurrentLinkedQueue<Due> arriving = new ConcurrentLinkedQueue<>();
  private final AtomicLong order = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  StartTimer() {
    thread = new Thread(this::run, "start-timer");
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }

  /** Runs the action when {@code System.nanoTime()} has reached {@code nanoTime}. */
  void at(long nanoTime, Runnable action) {
    arriving.add(new Due(nanoTime, order.incrementAndGet(), action));
    LockSupport.unpark(thread);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    PriorityQueue<Due> due = new PriorityQueue<>();
    while (!closed) {
      for (Due next = arriving.poll(); next != null; next = arriving.poll()) {
        due.add(next);
      }
      Due first = due.peek();
      long wait = first == null ? LONGEST_SLEEP_NANOS : first.nanoTime() - System.nanoTime();
      if (first != null && wait <= 0) {
        due.poll().action().run();
      } else {
        LockSupport.parkNanos(Math.min(wait, LONGEST_SLEEP_NANOS));
      }
    }
  }
}
