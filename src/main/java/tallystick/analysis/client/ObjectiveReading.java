package tallystick.analysis.client;

import java.util.List;
import java.util.Optional;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/**
 * The one judgement of a request by an objective: what it brought of the objective's quantity. A
 * failed request took for ever. A request its own client left is judged by what had been seen by
 * then: time already beyond the limit is bad, anything else nobody can tell.
 *
 * <p>Of several limits a request brings the largest part of a limit that it uses, in billionths:
 * one quantity, which is within its limit exactly if the request keeps all of them. With a limit on
 * sessions among them a session brings the largest part that it or one of its requests uses, when
 * it has ended; one that never does is not judged.
 */
public final class ObjectiveReading {
  /** The duration of what never came, in nanoseconds. */
  public static final long NEVER_CAME = MetricExtractor.NEVER_CAME;

  private final List<MetricExtractor> parts;
  private final boolean isJoint;
  private final WaitStart start;
  private final boolean dependsOnStart;
  private final Optional<OpenSessions> sessions;

  /** A reading of requests, from their intended start, by one objective that judges no sessions. */
  public ObjectiveReading(Objective objective) {
    this(
        objective.parts(), objective.metric() == Objective.Metric.ALL, WaitStart.INTENDED,
        Optional.empty());
  }

  /** A reading from another start; it may judge the sessions of a plan. */
  ObjectiveReading(Objective objective, WaitStart start, PlanTable plan) {
    this(
        objective.parts(), objective.metric() == Objective.Metric.ALL, start,
        Optional.of(new OpenSessions(plan)).filter(any -> objective.judgesSessions()));
  }

  private ObjectiveReading(
      List<Objective> limits, boolean isJoint, WaitStart start,
      Optional<OpenSessions> sessions) {
    this.parts = limits.stream().map(limit -> new MetricExtractor(limit, start)).toList();
    this.isJoint = isJoint;
    this.start = start;
    this.dependsOnStart = parts.stream().anyMatch(part -> part.limit().metric().isFromStart());
    this.sessions = sessions;
  }

  /**
   * A reading, from the intended start, by limits that a request must keep all together, each for
   * its own class; or a session of the plan, if one of them is of sessions.
   */
  public static ObjectiveReading ofAll(List<Objective> limits, PlanTable plan) {
    return new ObjectiveReading(
        limits, true, WaitStart.INTENDED,
        Optional.of(new OpenSessions(plan))
            .filter(any -> limits.stream().anyMatch(Objective::judgesSessions)));
  }

  /** The same by limits of which none is of sessions. */
  static ObjectiveReading ofAll(List<Objective> limits, WaitStart start) {
    return new ObjectiveReading(limits, true, start, Optional.empty());
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
    judge(row, choices, true, verdict);
  }

  /** The same of a request whose moments may be such that nobody can believe them. */
  void judge(RequestRow row, int choices, boolean isTimed, Verdict verdict) {
    read(row, choices, isTimed, judging(verdict));
  }

  /** The same of a session that has taken the request, if it ended with this one. */
  void judge(Session session, RequestRow row, int choices, Verdict verdict) {
    read(session, row, choices, judging(verdict));
  }

  private SampleConsumer judging(Verdict verdict) {
    return (nanos, at, unfinished) -> {
      boolean good =
          isJoint ? nanos <= LargestPart.WHOLE_LIMIT : parts.getFirst().isWithin(nanos);
      if (!good || !unfinished) {
        verdict.take(at, good);
      }
    };
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

  /**
   * Gives what a request brought, or the session that ended with it; nothing for one of another
   * class. Where sessions are judged, a request that stands alone keeps its own limits.
   */
  public void read(RequestRow row, int choices, SampleConsumer taker) {
    read(row, choices, true, taker);
  }

  /**
   * The same of a request whose moments may be such that nobody can believe them: it is one of its
   * session, and brings nothing by itself.
   */
  void read(RequestRow row, int choices, boolean isTimed, SampleConsumer taker) {
    if (sessions.isPresent() && sessions.get().isOfSession(row)) {
      sessions.get()
          .with(row, isTimed)
          .ifPresent(session -> read(session, row, choices, taker));
    } else if (isTimed) {
      readAlone(row, choices, taker);
    }
  }

  private void readAlone(RequestRow row, int choices, SampleConsumer taker) {
    if (sessions.isPresent()) {
      if (parts.stream().anyMatch(part -> part.isMeantFor(row) && isOfRequest(part))) {
        readAll(row, choices, taker);
      }
    } else if (isJoint) {
      readAll(row, choices, taker);
    } else {
      parts.getFirst().read(row, choices, taker);
    }
  }

  private void readAll(RequestRow row, int choices, SampleConsumer taker) {
    if (isMeantFor(row)) {
      LargestPart largest = new LargestPart();
      takeRequest(largest, row, choices, true);
      largest.give(
          taker, row.times().ended(), row.ending().outcome() == Outcome.CLIENT_CANCELLED);
    }
  }

  private static boolean isOfRequest(MetricExtractor part) {
    return !part.limit().metric().isOfSession();
  }

  private void takeRequest(LargestPart largest, RequestRow row, int choices, boolean isTimed) {
    for (MetricExtractor part : parts) {
      if (part.isMeantFor(row) && isOfRequest(part)) {
        if (isTimed) {
          largest.take(part, row, choices);
        } else {
          largest.open();
        }
      }
    }
  }

  /**
   * Takes a request of a session, which has taken it before, and gives what the session brought if
   * it ended with this one.
   */
  void read(Session session, RequestRow row, int choices, SampleConsumer taker) {
    if (!isMeantFor(row)) {
      return;
    }
    takeRequest(session.used(), row, choices, session.isLatestTimed());
    if (!session.isOver()) {
      return;
    }
    if (session.outcome().isFailure()) {
      taker.take(NEVER_CAME, row.times().ended(), false);
    } else {
      give(session, row, taker, session.outcome() == Outcome.CLIENT_CANCELLED);
    }
  }

  private void give(Session session, RequestRow row, SampleConsumer taker, boolean isLeft) {
    long at = row.times().ended();
    if (!isJoint) {
      if (session.isTimed()) {
        taker.take(nanos(parts.getFirst().limit(), session), at, isLeft);
      }
      return;
    }
    for (MetricExtractor part : parts) {
      if (!part.isMeantFor(row) || !part.limit().metric().isOfSession()) {
        continue;
      }
      if (session.isTimed()) {
        session.used().take(part, nanos(part.limit(), session), at);
      } else {
        session.used().open();
      }
    }
    session.used().give(taker, at, isLeft);
  }

  private long nanos(Objective limit, Session session) {
    boolean isWithoutTools = limit.metric() == Objective.Metric.SESSION_TIME_WITHOUT_TOOLS;
    return session.nanos(start == WaitStart.INTENDED) - (isWithoutTools ? session.toolNanos() : 0);
  }
}
