package tallystick.cli.exit;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: what runs is asked to close, and the process waits until its report is written. Threads:
 * any.
 */
public final class Interruption {
  private static final long PATIENCE_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile Optional<Runnable> closing = Optional.empty();
  private volatile boolean interrupted;

  /** Watches for the end of the process from now on. */
  public static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(interruption::close, "close-on-interrupt"));
    return interruption;
  }

  /** Says how to close what runs now; until this is said there is nothing to wait for. */
  public void onInterrupt(Runnable action) {
    closing = Optional.of(action);
    if (interrupted) {
      action.run();
    }
  }

  /** Whether somebody has pressed Ctrl-C. */
  public boolean isInterrupted() {
    return interrupted;
  }

  /** Everything is said; the process may end. */
  public void finished() {
    finished.countDown();
  }

  private void close() {
    if (finished.getCount() == 0) {
      return;
    }
    interrupted = true;
    if (closing.isEmpty()) {
      Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
    }
    closing.get().run();
    try {
      if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
