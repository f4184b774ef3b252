package tallystick.alerting.derivation;

import java.util.Arrays;
import tallystick.analysis.statistics.LongList;

/** Moments in any order, to be counted. */
final class Moments {
  private final LongList added = new LongList(Integer.MAX_VALUE);
  private long[] sorted = {};

  void add(long nanos) {
    added.add(nanos);
  }

  /** How many lie before one. */
  int before(long nanos) {
    int low = 0;
    int high = sorted().length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The last of them; the least number there is where there are none. */
  long last() {
    return sorted().length == 0 ? Long.MIN_VALUE : sorted[sorted.length - 1];
  }

  private long[] sorted() {
    if (sorted.length < added.size()) {
      sorted = added.toArray();
      Arrays.sort(sorted);
    }
    return sorted;
  }
}
