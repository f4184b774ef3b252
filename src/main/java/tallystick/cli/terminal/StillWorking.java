package tallystick.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.HowFar;

/**
 * Says what a command is at, how much of it is done and how long it still takes, when it has
 * printed nothing for a while. On a terminal the line goes with the command's next words; a log
 * gets a line now and then. Safe for several threads.
 */
public final class StillWorking {
  private static final long PATIENCE_SECONDS = 2;
  private static final long LOG_SECONDS = 10; // a job's log is read later, and is kept
  private static final String ERASED = "\r\u001b[K";

  private final OutputStream shown;
  private final boolean isTerminal;
  private long quietSeconds;
  private boolean hasSpoken;
  private boolean isMidLine;
  private boolean isShown;
  private boolean isOver;

  /** One that shows on a terminal's stream, or in a log. */
  StillWorking(OutputStream shown, boolean isTerminal) {
    this.shown = shown;
    this.isTerminal = isTerminal;
  }

  /** Watches over a command that begins now and whose words go to a terminal or else to a log. */
  public static StillWorking on(OutputStream terminal, OutputStream log) {
    boolean isTerminal = Boolean.getBoolean("tally.live");
    StillWorking working = new StillWorking(isTerminal ? terminal : log, isTerminal);
    Thread.ofPlatform().daemon().name("still-working").start(working::watch);
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
    if (!isTerminal) {
      if (!isOver && !doing.isEmpty() && quietSeconds % LOG_SECONDS == 0) {
        write(doing + "\n");
      }
      return;
    }
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
      shown.write(text.getBytes(StandardCharsets.US_ASCII));
      shown.flush();
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
