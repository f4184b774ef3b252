package tallystick.runrecord;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Gives every line that ends an object its {@link Seal} on the way to a file. Holds what was
 * written since the last flush, or a part of it. One thread.
 */
final class SealedLines extends OutputStream {
  private static final int HELD = 1 << 16;
  private static final byte[] BEFORE = Seal.before();
  private static final byte[] AFTER = Seal.after();

  private final OutputStream file;
  private final CRC32C sum = new CRC32C();
  private byte[] held = new byte[2 * HELD];
  private int length;
  private int summed;

  SealedLines(OutputStream file) {
    this.file = file;
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    int end = offset + count;
    int from = offset;
    for (int i = offset; i < end; i++) {
      if (bytes[i] == '\n') {
        hold(bytes, from, i - from);
        seal();
        from = i;
      }
    }
    hold(bytes, from, end - from);
    if (length >= HELD) {
      // The last byte may be the brace of a line whose end is still to come.
      hand(length - 1);
    }
  }

  /** To be called between two lines. */
  @Override
  public void flush() throws IOException {
    hand(length);
    file.flush();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      flush();
    }
  }

  private void seal() {
    if (length == 0 || held[length - 1] != '}') {
      return;
    }
    length--;
    hold(BEFORE, 0, BEFORE.length);
    sum.update(held, summed, length - summed);
    byte[] digits = Seal.text(sum).getBytes(StandardCharsets.US_ASCII);
    sum.reset();
    summed = length;
    hold(digits, 0, digits.length);
    hold(AFTER, 0, AFTER.length);
  }

  private void hold(byte[] bytes, int offset, int count) {
    if (length + count > held.length) {
      held = Arrays.copyOf(held, Math.max(2 * held.length, length + count));
    }
    System.arraycopy(bytes, offset, held, length, count);
    length += count;
  }

  private void hand(int count) throws IOException {
    sum.update(held, summed, count - summed);
    summed = 0;
    // What a full disk did not take is not offered to it again.
    int rest = length - count;
    byte[] given = Arrays.copyOf(held, count);
    System.arraycopy(held, count, held, 0, rest);
    length = rest;
    file.write(given);
  }
}
