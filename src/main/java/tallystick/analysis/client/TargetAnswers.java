package tallystick.analysis.client;

import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.RequestRow;

/** What each target answered of the measured requests, and when it did so last. */
public final class TargetAnswers {
  private final Map<Integer, Answers> byTarget = new TreeMap<>();

  /** One target's. */
  public static final class Answers {
    private long requests;
    private long silent;
    private long lastIntended = Long.MIN_VALUE;
    private long lastToken = Long.MIN_VALUE;

    private void read(RequestRow row) {
      requests++;
      lastIntended = Math.max(lastIntended, row.times().intended());
      long[] arrivals = row.chunks().arrivalNanos();
      if (arrivals.length == 0) {
        silent++;
      } else {
        lastToken = Math.max(lastToken, arrivals[arrivals.length - 1]);
      }
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
