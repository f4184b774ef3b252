package tallystick.analysis.client;

import java.util.BitSet;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Times;

/** Rows that cannot be what they say: a request twice, or steps that run backwards in time. */
public final class RowCheck {
  /** Indexes kept for the search of repeats: 8 MiB of bits. */
  private static final int LARGEST_INDEX = 1 << 26;

  private final BitSet seen = new BitSet();
  private long rows;
  private long repeated;
  private long outOfOrder;

  /** Whether a row of this request came before; it is counted. */
  public boolean isRepeated(RequestRow row) {
    rows++;
    if (row.index() >= LARGEST_INDEX) {
      return false;
    }
    if (seen.get(row.index())) {
      repeated++;
      return true;
    }
    seen.set(row.index());
    return false;
  }

  /**
   * Whether the steps of a request follow one another; counted if not. The moments of writing and
   * of the response's head are stamped by other threads and are not held to this.
   */
  boolean isInOrder(RequestRow row) {
    boolean inOrder = stepsAscend(row);
    outOfOrder += inOrder ? 0 : 1;
    return inOrder;
  }

  /** Requests without a row before the last one that has a row; requests are numbered from 0. */
  public long holes() {
    return seen.length() - seen.cardinality();
  }

  /** Rows of any request, repeated ones too. */
  public long rows() {
    return rows;
  }

  /** Rows of requests that had been read already. */
  public long repeated() {
    return repeated;
  }

  /** Rows whose steps are out of order in time. */
  public long outOfOrder() {
    return outOfOrder;
  }

  private static boolean stepsAscend(RequestRow row) {
    Times times = row.times();
    long at = times.intended();
    if (times.started() >= 0) {
      if (times.started() < at) {
        return false;
      }
      at = times.started();
    }
    for (long arrival : row.chunks().arrivalNanos()) {
      if (arrival < at) {
        return false;
      }
      at = arrival;
    }
    return times.ended() >= at;
  }
}
