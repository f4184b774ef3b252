package tallystick.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Says on a terminal that a command still works, while it reads records and has printed nothing.
 * The line goes with the first words of the command. Safe for several threads.
 */
public final class StillWorking {
  private static final long PATIENCE_SECONDS = 2;
  private static final String ERASED = "\r\u001b[K";

  private final OutputStream terminal;
  private boolean isOver;
  private boolean isShown;

  /** One that shows on a terminal's stream. */
  StillWorking(OutputStream terminal) {
    this.terminal = terminal;
  }

  /** Watches over a command that begins now, if its output goes to a terminal. */
  public static StillWorking on(OutputStream terminal) {
    StillWorking working = new StillWorking(terminal);
    if (Boolean.getBoolean("tally.live")) {
      Thread.ofPlatform().daemon().name("still-working").start(working::watch);
    }
    return working;
  }

  private void watch() {
    long begin = System.nanoTime();
    try {
      TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
      while (show(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))) {
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Shows the line, or says that it is no longer wanted. */
  synchronized boolean show(long seconds) {
    if (!isOver) {
      write(String.format(Locale.ROOT, "%sworking, %d s", ERASED, seconds));
      isShown = true;
    }
    return !isOver;
  }

  private synchronized void end() {
    if (isShown && !isOver) {
      write(ERASED);
    }
    isOver = true;
  }

  private void write(String text) {
    try {
      terminal.write(text.getBytes(StandardCharsets.US_ASCII));
      terminal.flush();
    } catch (IOException e) {
      isOver = true;
    }
  }

  /** A stream of the command's own words: the first of them end the line. */
  public OutputStream endedBy(OutputStream words) {
    return new FilterOutputStream(words) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        end();
        out.write(bytes, offset, length);
      }
    };
  }
}
