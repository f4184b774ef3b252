package tallystick.runrecord;

import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Tells a line that has come before, by a sum of its bytes. Every line of the harness and of a
 * scraper holds a moment in nanoseconds or the number of a series, so no two are meant to be equal.
 */
final class SeenLines {
  /** About a day of scrapes and notes; later lines are not held against what came before. */
  private static final int MOST_LINES = 1 << 20;

  private final CRC32 high = new CRC32();
  private final CRC32C low = new CRC32C();
  private final Set<Long> sums = new HashSet<>();

  /** Whether the line comes for the first time; an empty one always does. */
  boolean isNew(byte[] bytes, int from, int length) {
    return length == 0 || sums.size() == MOST_LINES || sums.add(sum(bytes, from, length));
  }

  /** Two sums of different polynomials together: 64 bits, and the processor knows them. */
  private long sum(byte[] bytes, int from, int length) {
    high.reset();
    high.update(bytes, from, length);
    low.reset();
    low.update(bytes, from, length);
    return high.getValue() << 32 | low.getValue();
  }
}
