package tallystick.analysis;

import java.util.Arrays;

/** A growing list of primitive longs, up to a limit beyond which values are counted, not kept. */
final class LongList {
  private final int limit;
  private long[] values = new long[256];
  private int size;
  private long dropped;

  LongList(int limit) {
    this.limit = limit;
  }

  void add(long value) {
    if (size == limit) {
      dropped++;
      return;
    }
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.min(limit, size * 2));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  /** Values that were not kept. */
  long dropped() {
    return dropped;
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
