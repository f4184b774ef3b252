package tallystick.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.HowFar;

/**
 * Says on a terminal what a command is at, how much of it is done and how long it still takes, when
 * it has printed nothing for a while. The line goes with the command's next words. Safe for several
 * threads.
 */
public final class StillWorking {
  private static final long PATIENCE_SECONDS = 2;
  private static final String ERASED = "\r\u001b[K";

  private final OutputStream terminal;
  private long quietSeconds;
  private boolean hasSpoken;
  private boolean isMidLine;
  private boolean isShown;
  private boolean isOver;

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
    try {
      while (!isOver()) {
        TimeUnit.SECONDS.sleep(1);
        second(HowFar.words());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  /**
   * One more second went by.
   *
   * @param doing what the command is at; empty where it does not say, and has to be waited for
   */
  synchronized void second(String doing) {
    quietSeconds++;
    boolean isWanted = !isMidLine && (!hasSpoken || !doing.isEmpty());
    if (!isOver && isWanted && quietSeconds >= PATIENCE_SECONDS) {
      write(ERASED + (doing.isEmpty() ? "working, " + quietSeconds + " s" : doing));
      isShown = true;
    }
  }

  private synchronized void spoken(byte last) {
    if (isShown && !isOver) {
      write(ERASED);
    }
    hasSpoken = true;
    isShown = false;
    isMidLine = last != '\n';
    quietSeconds = 0;
  }

  /** The command has ended. */
  public synchronized void end() {
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

  /** A stream of the command's own words: the line makes way for them. */
  public OutputStream endedBy(OutputStream words) {
    return new FilterOutputStream(words) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > 0) {
          spoken(bytes[offset + length - 1]);
        }
        out.write(bytes, offset, length);
      }
    };
  }
}
