package tallystick.analysis.client;

import java.util.OptionalLong;
import java.util.Set;
import tallystick.runrecord.RequestRow;

/**
 * The measured stretch of a run, nanoseconds after the run's origin.
 *
 * @param originNanos zero of the timeline and of the phases' offsets
 * @param drainedNanos when the last measured request had ended, as far as the record tells
 * @param quietBefore start of the ledger's first scrape, empty if nobody noted it
 * @param quietAfter start of the ledger's last scrape, empty if nobody noted it
 * @param warmups names of the phases that are not measured
 * @param isEstimated whether origin and end are those of the requests because nobody noted them
 */
public record MeasuredWindow(
    long originNanos,
    long drainedNanos,
    OptionalLong quietBefore,
    OptionalLong quietAfter,
    Set<String> warmups,
    boolean isEstimated) {

  /** The same window with origin and end taken from the requests, where the marks are lost. */
  public MeasuredWindow estimated(long fromNanos, long toNanos) {
    long drained = drainedNanos == Long.MAX_VALUE ? toNanos : drainedNanos;
    return new MeasuredWindow(fromNanos, drained, quietBefore, quietAfter, warmups, true);
  }

  /** Whether a request counts. */
  public boolean measures(RequestRow row) {
    return !warmups.contains(row.phase());
  }

  /** Whether a moment lies between the origin and the end of the last request. */
  public boolean isUnderLoad(long nanos) {
    return nanos >= originNanos && nanos <= drainedNanos;
  }

  /** How much of a stretch lies between the origin and the end of the last request. */
  public long nanosInside(long fromNanos, long toNanos) {
    return Math.max(0, Math.min(drainedNanos, toNanos) - Math.max(originNanos, fromNanos));
  }

  public double secondsAfterOrigin(long nanos) {
    return (nanos - originNanos) / 1e9;
  }
}
