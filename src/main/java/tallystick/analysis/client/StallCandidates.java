package tallystick.analysis.client;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import tallystick.analysis.statistics.LongList;
import tallystick.analysis.statistics.OrderStatistics;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** Gaps that may turn out to be stalls once the run's own gaps are known; gathered in one pass. */
public final class StallCandidates {
  /** No shorter gap is a stall. */
  public static final long FLOOR_NANOS = 100_000_000L;

  private static final int LIMIT = 1 << 20;

  private final LongList ends = new LongList(LIMIT);
  private final LongList lengths = new LongList(LIMIT);
  private final LongList streamStarts = new LongList(LIMIT);
  private final LongList streamEnds = new LongList(LIMIT);
  private final LongList lastWaitStarts = new LongList(LIMIT);
  private final LongList lastWaitEnds = new LongList(LIMIT);
  private final LongList waitStarts = new LongList(LIMIT);
  private final LongList waitEnds = new LongList(LIMIT);
  private final LongList dueStarts = new LongList(LIMIT);
  private final LongList dueEnds = new LongList(LIMIT);

  /** Takes a measured request of one answer. */
  public void read(RequestRow row) {
    if (row.times().started() - row.times().intended() > FLOOR_NANOS) {
      dueStarts.add(row.times().intended());
      dueEnds.add(row.times().started());
    }
    long[] arrivals = row.chunks().arrivalNanos();
    for (int i = 1; i < arrivals.length; i++) {
      long gap = arrivals[i] - arrivals[i - 1];
      if (gap > FLOOR_NANOS) {
        ends.add(arrivals[i]);
        lengths.add(gap);
      }
    }
    if (arrivals.length > 0) {
      waitStarts.add(row.times().written());
      waitEnds.add(arrivals[0]);
    }
    if (arrivals.length > 0 && row.ending().outcome() != Outcome.OK) {
      // One that broke off was waiting for its next chunk until then.
      streamStarts.add(arrivals[0]);
      streamEnds.add(Math.max(arrivals[arrivals.length - 1], row.times().ended()));
      lastWaitStarts.add(arrivals[arrivals.length - 1]);
      lastWaitEnds.add(row.times().ended());
    } else if (arrivals.length > 1) {
      streamStarts.add(arrivals[0]);
      streamEnds.add(arrivals[arrivals.length - 1]);
    }
  }

  /** Candidates that did not fit; with any, no stall is counted. */
  public long dropped() {
    return ends.dropped();
  }

  /** Streams that got nothing for at least so long around a moment, be it until they broke off. */
  public long silent(long nanos, long leastNanos) {
    long gaps =
        IntStream.range(0, ends.size())
            .filter(i -> lengths.get(i) >= leastNanos)
            .filter(i -> ends.get(i) > nanos && ends.get(i) - lengths.get(i) < nanos)
            .count();
    long brokenOff =
        IntStream.range(0, lastWaitEnds.size())
            .filter(i -> lastWaitStarts.get(i) < nanos && lastWaitEnds.get(i) > nanos)
            .count();
    return gaps + brokenOff;
  }

  /** Ends and lengths of the gaps above a threshold, in the order of their ends. */
  public long[][] above(long thresholdNanos) {
    int[] order =
        IntStream.range(0, ends.size())
            .filter(i -> lengths.get(i) > thresholdNanos)
            .boxed()
            .sorted((one, other) -> Long.compare(ends.get(one), ends.get(other)))
            .mapToInt(Integer::intValue)
            .toArray();
    return Arrays.stream(order)
        .mapToObj(i -> new long[] {ends.get(i), lengths.get(i)})
        .toArray(long[][]::new);
  }

  /**
   * Counts streams between their first and last chunk, or the end of one that broke off; empty if
   * too many to keep.
   */
  public ActiveStreams streams() {
    return new ActiveStreams(sorted(streamStarts), sorted(streamEnds), streamEnds.dropped() == 0);
  }

  /** Counts requests between the moment they were written and their first chunk. */
  public ActiveStreams waits() {
    return new ActiveStreams(sorted(waitStarts), sorted(waitEnds), waitEnds.dropped() == 0);
  }

  /** Counts requests that the client started late, between their intended start and that one. */
  public ActiveStreams due() {
    return new ActiveStreams(sorted(dueStarts), sorted(dueEnds), dueEnds.dropped() == 0);
  }

  private static long[] sorted(LongList list) {
    long[] values = list.toArray();
    Arrays.sort(values);
    return values;
  }

  /** How many streams, or waits for one, were between start and end at a moment. */
  public record ActiveStreams(long[] starts, long[] ends, boolean known) {
    public int at(long nanos) {
      return atOrBelow(starts, nanos) - atOrBelow(ends, nanos - 1);
    }

    /** How many began after one moment and up to another. */
    public long startedBetween(long fromNanos, long toNanos) {
      return atOrBelow(starts, toNanos) - atOrBelow(starts, fromNanos);
    }

    /** When the first began after a moment; empty if none did. */
    public OptionalLong firstStartAfter(long nanos) {
      int next = atOrBelow(starts, nanos);
      return next < starts.length ? OptionalLong.of(starts[next]) : OptionalLong.empty();
    }

    private static int atOrBelow(long[] sorted, long nanos) {
      return (int) OrderStatistics.firstTrue(i -> sorted[(int) i] > nanos, 0, sorted.length);
    }
  }
}
