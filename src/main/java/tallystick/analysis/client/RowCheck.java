package tallystick.analysis.client;

import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Times;

/**
 * Rows that cannot be what they say: a request twice, steps that run backwards in time, a phase or
 * a moment that the run does not have, tokens that do not add up.
 */
public final class RowCheck {
  /** Indexes kept for the search of repeats: 8 MiB of bits. */
  private static final int LARGEST_INDEX = 1 << 26;

  /** A record may be packed with its times cut to 100 microseconds, both ends of a difference. */
  private static final long ROUNDING_NANOS = 100_000;

  private final BitSet seen = new BitSet();
  private final MeasuredWindow window;
  private final Set<String> phases;
  private final PlanTable plan;
  private final boolean knowsStarts;
  private final boolean isWarmedUpByTime;
  private int firstMeasured = LARGEST_INDEX;
  private long rows;
  private long repeated;
  private long outOfOrder;
  private long outOfPlace;
  private long contradicting;

  /**
   * No row seen so far.
   *
   * @param settings of the run; its phases are none where they are not known
   * @param plan what the plan asks of each request
   */
  RowCheck(MeasuredWindow window, Settings settings, PlanTable plan) {
    this.window = window;
    this.phases = settings.phases().stream().map(Phase::name).collect(Collectors.toSet());
    this.plan = plan;
    // A closed loop starts a request when the one before has ended.
    this.knowsStarts = settings.loop() == LoopShape.OPEN && !window.isEstimated();
    this.isWarmedUpByTime =
        settings.loop() == LoopShape.CLOSED
            && settings.windowNanos(true) < Settings.Timing.UNBOUNDED_NANOS;
  }

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
    if (window.measures(row)) {
      firstMeasured = Math.min(firstMeasured, row.index());
    }
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

  /** Looks at what a measured request says beside the plan, the window and itself. */
  void look(RequestRow row) {
    Times times = row.times();
    boolean isKnown = phases.isEmpty() || phases.contains(row.phase());
    boolean isInside =
        times.intended() >= window.originNanos() && times.intended() <= window.drainedNanos();
    outOfPlace += isKnown && isInside && !plan.denies(row) && startsAsPlanned(row) ? 0 : 1;
    contradicting += contradictsItself(row) ? 1 : 0;
  }

  private boolean startsAsPlanned(RequestRow row) {
    Optional<Long> offset = knowsStarts ? plan.offsetNanos(row) : Optional.empty();
    return offset
        .map(nanos -> Math.abs(row.times().intended() - window.originNanos() - nanos))
        .map(off -> off <= ROUNDING_NANOS)
        .orElse(true);
  }

  /** Measured requests that are not of the plan, or meant to start outside the window. */
  public long outOfPlace() {
    return outOfPlace;
  }

  /** Answers whose chunks do not add up to the server's count, and whole ones that were left. */
  public long contradicting() {
    return contradicting;
  }

  /** Requests without a row before the last one that has a row; requests are numbered from 0. */
  public long holes() {
    return seen.length() - seen.cardinality() - unsentWarmup();
  }

  /** A closed loop's warm-up that ends by its time leaves the rest of its plan unsent. */
  private long unsentWarmup() {
    return isWarmedUpByTime && firstMeasured < seen.length()
        ? firstMeasured - 1 - seen.previousSetBit(firstMeasured - 1)
        : 0;
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

  private static boolean contradictsItself(RequestRow row) {
    RequestRow.Ending ending = row.ending();
    if (ending.outcome() == Outcome.CLIENT_CANCELLED) {
      // Whoever leaves has not read the answer to its end.
      return !ending.finishReason().isEmpty() && row.usage().isKnown();
    }
    if (ending.outcome() != Outcome.OK
        || !row.usage().isKnown()
        || row.isUnstreamed()
        || ending.oddities().contains(RequestRow.Oddity.USAGE_CONTRADICTS_CHUNKS)) {
      return false;
    }
    long sum = 0;
    for (int tokens : row.chunks().tokens()) {
      if (tokens < 0) {
        return false;
      }
      sum += tokens;
    }
    return sum != row.usage().completionTokens();
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
    // Both are the moment of a read of the socket.
    at = row.hasFirstToken() ? Math.max(at, times.firstByte()) : at;
    for (long arrival : row.chunks().arrivalNanos()) {
      if (arrival < at) {
        return false;
      }
      at = arrival;
    }
    return times.ended() >= at;
  }
}
