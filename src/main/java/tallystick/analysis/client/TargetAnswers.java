package tallystick.analysis.client;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** What each target answered of the measured requests, and when it did so last. */
public final class TargetAnswers {
  private static final long TENTH_NANOS = 100_000_000;

  private final Map<Integer, Answers> byTarget = new TreeMap<>();

  /** One target's. */
  public static final class Answers {
    private long requests;
    private long silent;
    private long lastIntended = Long.MIN_VALUE;
    private long lastToken = Long.MIN_VALUE;
    private final NavigableMap<Long, Long> failuresByTenth = new TreeMap<>();

    private void read(RequestRow row) {
      requests++;
      if (isFailure(row.ending().outcome())) {
        failuresByTenth.merge(Math.floorDiv(row.times().ended(), TENTH_NANOS), 1L, Long::sum);
      }
      lastIntended = Math.max(lastIntended, row.times().intended());
      silent += row.hasToken() ? 0 : 1;
      lastToken = row.hasToken() ? Math.max(lastToken, row.lastTokenNanos()) : lastToken;
    }

    private static boolean isFailure(Outcome outcome) {
      return outcome != Outcome.OK && outcome != Outcome.CLIENT_CANCELLED;
    }

    /** Requests that failed between two moments, to a tenth of a second. */
    public long failedBetween(long fromNanos, long toNanos) {
      return failures(fromNanos, toNanos).values().stream().mapToLong(Long::longValue).sum();
    }

    /** The tenths of a second in which those failed, each by its start and in order. */
    public long[] failureNanos(long fromNanos, long toNanos) {
      return failures(fromNanos, toNanos).keySet().stream()
          .mapToLong(tenth -> Math.max(fromNanos, tenth * TENTH_NANOS))
          .toArray();
    }

    private NavigableMap<Long, Long> failures(long fromNanos, long toNanos) {
      return failuresByTenth.subMap(
          Math.floorDiv(fromNanos, TENTH_NANOS), true, Math.floorDiv(toNanos, TENTH_NANOS), true);
    }

    /** Requests that were sent to it and ended. */
    public long requests() {
      return requests;
    }

    /** Those of them that got no token. */
    public long silent() {
      return silent;
    }

    /** When the last of them should have started. */
    public long lastIntendedNanos() {
      return lastIntended;
    }

    /** When its last token arrived. */
    public long lastTokenNanos() {
      return lastToken;
    }
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    byTarget.computeIfAbsent(row.target(), any -> new Answers()).read(row);
  }

  /** One target's answers. */
  public Answers of(int target) {
    return byTarget.getOrDefault(target, new Answers());
  }
}
