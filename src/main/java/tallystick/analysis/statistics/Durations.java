package tallystick.analysis.statistics;

import java.util.Arrays;

/**
 * Durations in nanoseconds, kept one by one: in 32 bits each while all are shorter than 2.1 s, in
 * 64 bits from the first that is not. Not safe for use by several threads.
 */
final class Durations {
  private static final int FIRST_ROOM = 16;

  private int[] narrow = new int[FIRST_ROOM];

  /** Empty while all fit into 32 bits. */
  private long[] wide = new long[0];

  private int size;
  private boolean sorted = true;

  /**
   * Adds the same duration several times.
   *
   * @param limit more than so many never come, so no room is made for them
   */
  void add(long nanos, int times, int limit) {
    if (isNarrow() && nanos != (int) nanos) {
      widen();
    }
    int end = size + times;
    int room = isNarrow() ? narrow.length : wide.length;
    if (end > room) {
      grow(Math.max(end, (int) Math.min(limit, room * 2L)));
    }
    if (isNarrow()) {
      Arrays.fill(narrow, size, end, (int) nanos);
    } else {
      Arrays.fill(wide, size, end, nanos);
    }
    size = end;
    sorted = false;
  }

  long get(int index) {
    return isNarrow() ? narrow[index] : wide[index];
  }

  /** Puts them into ascending order. */
  void sort() {
    if (!sorted && isNarrow()) {
      Arrays.sort(narrow, 0, size);
    } else if (!sorted) {
      Arrays.sort(wide, 0, size);
    }
    sorted = true;
  }

  Durations copy() {
    Durations copy = new Durations();
    copy.narrow = narrow.clone();
    copy.wide = wide.clone();
    copy.size = size;
    copy.sorted = sorted;
    return copy;
  }

  private boolean isNarrow() {
    return wide.length == 0;
  }

  private void grow(int room) {
    if (isNarrow()) {
      narrow = Arrays.copyOf(narrow, room);
    } else {
      wide = Arrays.copyOf(wide, room);
    }
  }

  private void widen() {
    wide = new long[narrow.length];
    for (int i = 0; i < size; i++) {
      wide[i] = narrow[i];
    }
    narrow = new int[0];
  }
}
