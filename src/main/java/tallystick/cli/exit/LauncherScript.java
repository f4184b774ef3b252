package tallystick.cli.exit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The script {@code tally} that waits for this process. It is told that the work has begun, so that
 * it starts nothing a second time; and where it is killed, this process ends too.
 */
public final class LauncherScript {
  private static final long LOOK_MILLIS = 200;

  /** What Java ends with where SIGKILL ended it. */
  private static final int KILLED = 137;

  private LauncherScript() {}

  /** Whether the script waits for this process. */
  public static boolean isThere() {
    return Long.getLong("tally.launcher", 0) != 0;
  }

  /**
   * To be called first of all.
   *
   * @throws IOException if the script cannot be told
   */
  public static void answer() throws IOException {
    String unbegun = System.getProperty("tally.unbegun", "");
    if (!unbegun.isEmpty()) {
      Files.deleteIfExists(Path.of(unbegun));
    }
    if (isThere()) {
      long script = Long.getLong("tally.launcher", 0);
      Thread watch = new Thread(() -> outlive(script), "launcher-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  /** A process whose parent has gone belongs to another from then on. */
  private static void outlive(long script) {
    try {
      while (ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) == script) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      Runtime.getRuntime().halt(KILLED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
