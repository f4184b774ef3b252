package tallystick.scrape;

import java.util.Arrays;

/** One exposition cut into lines, with what each line was understood as. */
final class ExpositionLines {
  /** A blank line or a comment that declares nothing. */
  static final Object NOTHING = new Object();

  /** The mark that ends OpenMetrics. */
  static final Object EOF = new Object();

  private byte[] body = new byte[0];
  private int[] starts = new int[64];
  private int[] keyLengths = new int[64];
  private Object[] contents = new Object[64];
  private int count;
  private int end;

  /** Begins another exposition; the lines of the one before are forgotten. */
  void begin(byte[] next) {
    body = next;
    Arrays.fill(contents, 0, count, null);
    count = 0;
    end = 0;
  }

  /**
   * Adds the next line.
   *
   * @param keyLength bytes from the line's start to its value; 0 for a line without one
   * @param lineEnd where the line after it starts
   */
  void add(Object content, int keyLength, int lineEnd) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      keyLengths = Arrays.copyOf(keyLengths, count * 2);
      contents = Arrays.copyOf(contents, count * 2);
    }
    starts[count] = end;
    keyLengths[count] = keyLength;
    contents[count] = content;
    end = lineEnd;
    count++;
  }

  int count() {
    return count;
  }

  Object content(int index) {
    return contents[index];
  }

  int keyLength(int index) {
    return keyLengths[index];
  }

  int length(int index) {
    return (index + 1 < count ? starts[index + 1] : end) - starts[index];
  }

  /** Offset of the first byte in which a line differs from {@code other[from, …)}; -1 for none. */
  int mismatch(int index, byte[] other, int from) {
    int length = length(index);
    int to = Math.min(other.length, from + length);
    return Arrays.mismatch(body, starts[index], starts[index] + length, other, from, to);
  }
}
