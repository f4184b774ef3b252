package tallystick.experiment.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * Cuts the middle out of a log that grows too long. Its beginning tells the settings, its end why
 * an engine died. Who writes it must append. Threads: any.
 */
final class LogLimit {
  /** How long a log may be, but for what is printed within a second. */
  static final long MOST_BYTES = 1L << 26;

  private static final long POLL_MILLIS = 500;
  private static final int SHARE_OF_HEAD = 2;
  private static final int SHARE_OF_TAIL = 8;

  private final Path file;
  private final long most;
  private long cutBytes;
  private boolean isEnded;

  LogLimit(Path file, long most) {
    this.file = file;
    this.most = most;
  }

  /** Looks after the log as long as a process lives. */
  void watch(Process writer) {
    try {
      while (!writer.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        cut();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Cuts it if it is too long; what is printed at this moment may be lost with the middle. */
  synchronized void cut() {
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = log.size();
      if (size <= most || isEnded) {
        return;
      }
      ByteBuffer tail = ByteBuffer.allocate((int) (most / SHARE_OF_TAIL));
      log.read(tail, size - tail.capacity());
      long head = most / SHARE_OF_HEAD;
      log.truncate(head);
      cutBytes += size - head - tail.position();
      append("\n[tally cut here]\n" + StandardCharsets.UTF_8.decode(tail.flip()));
    } catch (IOException e) {
      // A log that cannot be cut is no reason to end a measurement.
    }
  }

  /** Nobody writes any more: its last line says what was cut. */
  synchronized void end() {
    cut();
    if (cutBytes > 0 && !isEnded) {
      try {
        append(
            "\n[tally cut " + cutBytes + " bytes out of the middle of this log, which may have "
                + most + "]\n");
      } catch (IOException e) {
        // The engine has ended; so has what its log is for.
        isEnded = true;
      }
    }
    isEnded = true;
  }

  private void append(String text) throws IOException {
    try (FileChannel log = FileChannel.open(file, StandardOpenOption.APPEND)) {
      log.write(StandardCharsets.UTF_8.encode(text));
    }
  }
}
