package tallystick.cli.run;

import java.util.concurrent.Callable;

/**
 * Keeps a long command's heap near what it holds. Java's serial collector lets the old generation
 * grow to a quarter of the machine before it looks at it once: a simulation of a million requests
 * took 6 GB and held less than one. Not for a process that measures, or answers what is measured:
 * it would stand still.
 */
final class SpareHeap implements AutoCloseable {
  private static final long LEAST_BYTES = 320L << 20; // below it a collection frees next to nothing
  private static final double GROWTH = 1.6; // of what was held: less often is more, and costs less
  private static final long PERIOD_MILLIS = 200; // a busy command takes some 50 MB in that time

  private final Thread watch;

  private SpareHeap() {
    this.watch = Thread.ofPlatform().daemon().name("spare-heap").start(SpareHeap::watch);
  }

  /** Looks after it while work is done. */
  static <T> T during(Callable<T> work) throws Exception {
    try (SpareHeap spare = new SpareHeap()) {
      return work.call();
    }
  }

  @Override
  public void close() {
    watch.interrupt();
  }

  private static void watch() {
    long allowed = LEAST_BYTES;
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        if (used() > allowed) {
          System.gc();
          allowed = Math.max(LEAST_BYTES, Math.round(GROWTH * used()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long used() {
    Runtime java = Runtime.getRuntime();
    return java.totalMemory() - java.freeMemory();
  }
}
