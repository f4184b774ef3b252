package tallystick.analysis.statistics;

import java.util.Arrays;

/** A growing list of primitive longs, up to a limit beyond which values are counted, not kept. */
public final class LongList {
  private final int limit;
  private long[] values = new long[256];
  private int size;
  private long dropped;

  public LongList(int limit) {
    this.limit = limit;
  }

  public void add(long value) {
    if (size == limit) {
      dropped++;
      return;
    }
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.min(limit, size * 2));
    }
    values[size++] = value;
  }

  public int size() {
    return size;
  }

  public long get(int index) {
    return values[index];
  }

  /** Values that were not kept. */
  public long dropped() {
    return dropped;
  }

  public long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
