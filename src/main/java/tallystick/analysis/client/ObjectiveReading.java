package tallystick.analysis.client;

import java.util.List;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/**
 * The one judgement of a request by an objective: what it brought of the objective's quantity. A
 * failed request took for ever. A request its own client left is judged by what had been seen by
 * then: time already beyond the limit is bad, anything else nobody can tell.
 *
 * <p>Of several limits a request brings the largest part of a limit that it uses, in billionths:
 * one quantity, which is within its limit exactly if the request keeps all of them.
 */
public final class ObjectiveReading {
  /** The duration of what never came, in nanoseconds. */
  public static final long NEVER_CAME = MetricExtractor.NEVER_CAME;

  private static final long WHOLE_LIMIT = 1_000_000_000L;

  private final List<MetricExtractor> parts;
  private final boolean isJoint;
  private final boolean dependsOnStart;

  /**
   * A reading of requests by one objective.
   *
   * @param fromIntended whether waiting counts from the intended start; otherwise from the actual
   */
  public ObjectiveReading(Objective objective, boolean fromIntended) {
    this(objective.parts(), objective.metric() == Objective.Metric.ALL, fromIntended);
  }

  private ObjectiveReading(List<Objective> limits, boolean isJoint, boolean fromIntended) {
    this.parts = limits.stream().map(limit -> new MetricExtractor(limit, fromIntended)).toList();
    this.isJoint = isJoint;
    this.dependsOnStart = parts.stream().anyMatch(part -> part.limit().metric().isFromStart());
  }

  /** A reading by limits that a request must keep all together, each for its own class. */
  public static ObjectiveReading ofAll(List<Objective> limits, boolean fromIntended) {
    return new ObjectiveReading(limits, true, fromIntended);
  }

  /** Whether one of its limits is for the request's class. */
  boolean isMeantFor(RequestRow row) {
    return parts.stream().anyMatch(part -> part.isMeantFor(row));
  }

  /** Whether it matters from which start waiting counts. */
  boolean dependsOnStart() {
    return dependsOnStart;
  }

  /** Whether it takes all gaps of every answer that ended well, as latencies do. */
  boolean isOfEveryGap() {
    return !isJoint
        && parts.getFirst().limit().metric() == Objective.Metric.ITL
        && parts.getFirst().limit().requestClass().isEmpty();
  }

  /** How many gaps between moments are within the limit. */
  long gapsWithin(long[] moments) {
    return parts.getFirst().gapsWithin(moments);
  }

  /** Takes one thing that was judged. */
  public interface Verdict {
    /** When it was seen, after the run's origin, and whether it was good. */
    void take(long atNanos, boolean isGood);
  }

  /**
   * Gives the good and the bad things of a request for so many answers; what nobody can tell is
   * neither.
   */
  public void judge(RequestRow row, int choices, Verdict verdict) {
    read(
        row,
        choices,
        (nanos, at, unfinished) -> {
          boolean good = isJoint ? nanos <= WHOLE_LIMIT : parts.getFirst().isWithin(nanos);
          if (!good || !unfinished) {
            verdict.take(at, good);
          }
        });
  }

  /**
   * When a request's wait for a bad thing passed a limit, at the latest when it was seen: its user
   * suffers from then on.
   */
  public long brokenNanos(RequestRow row, long atNanos) {
    return parts.stream()
        .filter(part -> part.isMeantFor(row))
        .mapToLong(part -> part.brokenNanos(row, atNanos))
        .min()
        .orElse(atNanos);
  }

  /** Gives what a request brought; nothing for one of another class. */
  public void read(RequestRow row, int choices, SampleConsumer taker) {
    if (isJoint) {
      readAll(row, choices, taker);
    } else {
      parts.getFirst().read(row, choices, taker);
    }
  }

  private void readAll(RequestRow row, int choices, SampleConsumer taker) {
    Largest largest = new Largest();
    boolean isMeant = false;
    for (MetricExtractor part : parts) {
      if (part.isMeantFor(row)) {
        isMeant = true;
        largest.take(part, row, choices);
      }
    }
    if (isMeant) {
      boolean isLeft = row.ending().outcome() == Outcome.CLIENT_CANCELLED;
      long at = largest.used == 0 ? row.times().ended() : largest.atNanos;
      taker.take(largest.used, at, largest.isOpen || isLeft);
    }
  }

  /** The largest part of a limit that a request uses, as far as anybody can tell. */
  private static final class Largest {
    private long used;
    private long atNanos;
    private boolean isOpen;

    private void take(MetricExtractor part, RequestRow row, int choices) {
      boolean[] isRead = {part.isNothingToKeep(row, choices)};
      part.read(
          row,
          choices,
          (nanos, at, unfinished) -> {
            isRead[0] = true;
            long of = partUsed(part, nanos);
            if (of > used) {
              used = of;
              atNanos = at;
            }
          });
      isOpen |= !isRead[0];
    }

    /** At most a whole limit exactly if the duration is within it, whatever rounding does. */
    private static long partUsed(MetricExtractor part, long nanos) {
      if (nanos >= NEVER_CAME) {
        return NEVER_CAME;
      }
      double exact = nanos / part.limit().thresholdSeconds();
      long used = (long) Math.min(exact, NEVER_CAME / 2);
      return part.isWithin(nanos)
          ? Math.min(used, WHOLE_LIMIT)
          : Math.max(used, WHOLE_LIMIT + 1);
    }
  }
}
