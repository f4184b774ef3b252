package tallystick.run;

import java.nio.file.Path;
import tallystick.gatling.GatlingRun;
import tallystick.gatling.Load;
import tallystick.simulations.CompletionSimulation;

/** Gatling, driving one load beside the thread that watches it. */
final class GatlingThread {
  private final Thread thread;
  private volatile Throwable failure;

  /** Starts at once; Gatling itself takes a while before its first user. */
  GatlingThread(Load load, Path results) {
    thread =
        new Thread(
            () -> GatlingRun.run(CompletionSimulation.class, load, results),
            "gatling-" + results.getFileName());
    thread.setUncaughtExceptionHandler((dead, thrown) -> failure = thrown);
    thread.start();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /**
   * Waits for its end, at most so long.
   *
   * @throws IllegalStateException if it failed
   */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
    if (failure != null) {
      throw new IllegalStateException("Gatling failed", failure);
    }
  }
}
