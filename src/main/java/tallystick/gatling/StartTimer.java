package tallystick.gatling;

import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs tasks at their nanosecond, never before it. One thread that sleeps to the next due task;
 * tasks must be short. Threads: {@link #at} and {@link #dropUnwanted} may be called from any.
 */
final class StartTimer implements AutoCloseable {
  /** A new request and the end wake it sooner; this is only a bound. */
  private static final long LONGEST_SLEEP_NANOS = 100_000_000L;

  /** What is to be done at a moment. */
  interface Task {
    /** Whether it is still to be done; what is not wanted once is never wanted again. */
    boolean isWanted();

    /** Its moment has come. */
    void run();

    /** It was not wanted any more, whenever its moment comes. */
    void drop();
  }

  private record Due(long nanoTime, long order, Task task) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      long difference = nanoTime - other.nanoTime;
      return difference == 0 ? Long.compare(order, other.order) : Long.signum(difference);
    }
  }

  private final ConcurrentLinkedQueue<Due> arriving = new ConcurrentLinkedQueue<>();
  private final AtomicLong order = new AtomicLong();
  private final AtomicBoolean dropping = new AtomicBoolean();
  private final Thread thread;
  private volatile boolean closed;

  StartTimer() {
    thread = new Thread(this::run, "start-timer");
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }

  /** Runs the task when {@code System.nanoTime()} has reached {@code nanoTime}. */
  void at(long nanoTime, Task task) {
    arriving.add(new Due(nanoTime, order.incrementAndGet(), task));
    LockSupport.unpark(thread);
  }

  /** Drops what waits for its moment and is not wanted any more, without waiting for it. */
  void dropUnwanted() {
    dropping.set(true);
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
      boolean isDropping = dropping.getAndSet(false);
      for (Due next = arriving.poll(); next != null; next = arriving.poll()) {
        // It may have been unwanted before the others were dropped.
        if (next.task().isWanted()) {
          due.add(next);
        } else {
          next.task().drop();
        }
      }
      if (isDropping) {
        dropUnwanted(due);
      }
      Due first = due.peek();
      long wait = first == null ? LONGEST_SLEEP_NANOS : first.nanoTime() - System.nanoTime();
      if (first != null && wait <= 0) {
        due.poll().task().run();
      } else {
        LockSupport.parkNanos(Math.min(wait, LONGEST_SLEEP_NANOS));
      }
    }
  }

  private static void dropUnwanted(PriorityQueue<Due> due) {
    List<Due> unwanted = due.stream().filter(one -> !one.task().isWanted()).toList();
    due.removeAll(new HashSet<>(unwanted));
    unwanted.forEach(one -> one.task().drop());
  }
}
