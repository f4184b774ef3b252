package tallystick.alerting.derivation;

import java.util.Arrays;

/** Waits that passed the limit: from when on each did, and when the request was judged. */
final class LongWaits {
  private long[] broken = new long[16];
  private long[] judged = new long[16];
  private int size;
  private boolean isSorted = true;

  void add(long brokenNanos, long judgedNanos) {
    if (size == broken.length) {
      broken = Arrays.copyOf(broken, size * 2);
      judged = Arrays.copyOf(judged, size * 2);
    }
    broken[size] = brokenNanos;
    judged[size++] = judgedNanos;
    isSorted = false;
  }

  /** How many had begun before a moment and were judged at it or later. */
  int at(long nanos) {
    if (!isSorted) {
      Arrays.sort(broken, 0, size);
      Arrays.sort(judged, 0, size);
      isSorted = true;
    }
    return before(broken, nanos) - before(judged, nanos);
  }

  private int before(long[] moments, long nanos) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (moments[middle] < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
