package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.function.IntPredicate;

/** Moments in any order, to be counted. */
final class Moments {
  private long[] moments = new long[64]; // a first size; it doubles
  private int size;
  private boolean isSorted;

  void add(long nanos) {
    moments = size == moments.length ? Arrays.copyOf(moments, 2 * size) : moments;
    moments[size++] = nanos;
    isSorted = false;
  }

  /** How many lie before one. */
  int before(long nanos) {
    sort();
    return first(size, i -> moments[i] >= nanos);
  }

  /** The first place from which on something holds; the size where it holds nowhere. */
  static int first(int size, IntPredicate holds) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The last of them; the least number there is where there are none. */
  long last() {
    sort();
    return size == 0 ? Long.MIN_VALUE : moments[size - 1];
  }

  private void sort() {
    if (!isSorted) {
      Arrays.sort(moments, 0, size);
      isSorted = true;
    }
  }
}
