package tallystick.runrecord;

import java.util.HashSet;
import java.util.Set;

/**
 * Tells a line that has come before, by a sum of its bytes. Every line of the harness and of a
 * scraper holds a moment in nanoseconds or the number of a series, so no two are meant to be equal.
 */
final class SeenLines {
  /** About a day of scrapes and notes; later lines are not held against what came before. */
  private static final int MOST_LINES = 1 << 20;

  /** Offset and prime of FNV-1a with 64 bits. */
  private static final long OFFSET = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private final Set<Long> sums = new HashSet<>();

  /** Whether the line comes for the first time; an empty one always does. */
  boolean isNew(byte[] bytes, int from, int length) {
    return length == 0 || sums.size() == MOST_LINES || sums.add(sum(bytes, from, length));
  }

  private static long sum(byte[] bytes, int from, int length) {
    long sum = OFFSET;
    for (int i = from; i < from + length; i++) {
      sum = (sum ^ (bytes[i] & 0xff)) * PRIME;
    }
    return sum;
  }
}
