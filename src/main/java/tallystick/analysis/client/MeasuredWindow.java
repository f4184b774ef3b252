package tallystick.analysis.client;

import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow.Mark;
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
public record Window(
    long originNanos,
    long drainedNanos,
    OptionalLong quietBefore,
    OptionalLong quietAfter,
    Set<String> warmups,
    boolean isEstimated) {

  /** The window that the marks tell. */
  public static Window of(Settings settings, HarnessAccount harness) {
    Set<String> warmups =
        settings.phases().stream()
            .filter(Phase::warmup)
            .map(Phase::name)
            .collect(Collectors.toUnmodifiableSet());
    long origin = harness.at(Mark.Kind.WINDOW_ORIGIN).orElse(0);
    long drained = harness.at(Mark.Kind.WINDOW_DRAINED).orElse(Long.MAX_VALUE);
    return new Window(
        origin,
        drained,
        harness.at(Mark.Kind.QUIET_BEFORE_WINDOW),
        harness.at(Mark.Kind.QUIET_AFTER_WINDOW),
        warmups,
        false);
  }

  /** The same window with origin and end taken from the requests, where the marks are lost. */
  public Window estimated(long fromNanos, long toNanos) {
    long drained = drainedNanos == Long.MAX_VALUE ? toNanos : drainedNanos;
    return new Window(fromNanos, drained, quietBefore, quietAfter, warmups, true);
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
