package tallystick.analysis.client;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.SessionAccount;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** What sessions, and the requests of each turn, took; in one pass. Holds only open sessions. */
public final class SessionSamples {
  /** The first turn of each line: histories change most at the begin, and lines fit a page. */
  private static final List<Integer> FIRST_TURNS = List.of(1, 2, 3, 4, 5, 9);

  private static final double SECONDS_PER_HOUR = 3600;

  private final PlanTable plan;
  private final MeasuredWindow window;
  private final EachValue each = new EachValue(Timeline.SESSION_EACH);
  private final ObjectiveReading limits;
  private final TimedSamples seconds;
  private final TimedSamples withoutToolSeconds;
  private final TimedSamples requestSeconds;
  private final List<TurnSamples> turns;
  private final OpenSessions open;
  private long begun;
  private long completed;
  private long failed;
  private long left;
  private long requests;
  private long toolCalls;
  private long planned;
  private long good;
  private long judged;

  /** Nothing read so far of sessions whose places this plan tells. */
  SessionSamples(
      PlanTable plan, MeasuredWindow window, List<Objective> objectives, TimeUnits time) {
    List<Objective> parts = GoodRequests.limitsOfSessions(objectives);
    this.plan = plan;
    this.window = window;
    this.open = new OpenSessions(plan);
    this.limits = ObjectiveReading.ofAll(parts, WaitStart.INTENDED);
    this.seconds = new TimedSamples(new SampleSet(), time);
    this.withoutToolSeconds = new TimedSamples(new SampleSet(), time);
    this.requestSeconds = new TimedSamples(new SampleSet(), time);
    this.turns = FIRST_TURNS.stream().map(first -> new TurnSamples(time)).toList();
  }

  /**
   * Takes a measured request for so many answers.
   *
   * @param isTimed whether its moments can be believed
   */
  void read(RequestRow row, int choices, boolean isTimed) {
    plan.session(row).ifPresent(
        place -> {
          requests++;
          toolCalls += place.tool() ? 1 : 0;
          TurnSamples turn = turns.get(lineOf(place.turn()));
          turn.read(row, isTimed);
          open.with(row, isTimed).ifPresent(
              session -> {
                session.turnNanos(place)
                    .ifPresent(took -> turn.seconds.add(took, row.times().ended()));
                read(session, row, choices);
              });
        });
  }

  private void read(Session session, RequestRow row, int choices) {
    if (session.ended() == 1) {
      begun++;
      planned += session.planned();
    }
    limits.judge(
        session, row, choices,
        (at, isGood) -> {
          judged++;
          good += isGood ? 1 : 0;
        });
    if (session.isOver()) {
      end(session, row);
    }
  }

  private static int lineOf(int turn) {
    return (int) FIRST_TURNS.stream().filter(first -> first <= turn).count() - 1;
  }

  private void end(Session session, RequestRow row) {
    long at = row.times().ended();
    failed += session.outcome().isFailure() ? 1 : 0;
    left += session.outcome() == Outcome.CLIENT_CANCELLED ? 1 : 0;
    completed += session.outcome() == Outcome.OK ? 1 : 0;
    if (session.outcome() == Outcome.OK && session.isTimed()) {
      seconds.add(session.nanos(true), at);
      each.add(row.index(), window.secondsAfterOrigin(at), session.nanos(true) / 1e9);
      withoutToolSeconds.add(session.nanos(true) - session.toolNanos(), at);
      requestSeconds.add(session.requestNanos(), at);
    }
  }

  /** Sessions that have begun and not ended: of a run that is over, those that its end cut. */
  public long cut() {
    return open.count();
  }

  /** Its track of the timeline; empty where requests come alone. */
  public List<Timeline.Track> tracks() {
    return begun == 0 ? List.of() : List.of(each.track());
  }

  /** The account over a window of this length; what is still open was cut by the run's end. */
  public SessionAccount account(double windowSeconds) {
    Figure noLimit = Figure.missing("no objective judges requests or sessions");
    return new SessionAccount(
        plan.sessions(), begun, completed, failed, left, cut(), requests,
        planned - requests, seconds.distribution(), withoutToolSeconds.distribution(),
        requestSeconds.distribution(), toolCalls,
        perHour(completed, windowSeconds), good, judged,
        judged > 0 || begun == 0 ? perHour(good, windowSeconds) : noLimit,
        IntStream.range(0, turns.size())
            .filter(line -> turns.get(line).requests > 0)
            .mapToObj(line -> turns.get(line).turn(line))
            .toList());
  }

  private Figure perHour(long sessions, double windowSeconds) {
    return begun > 0 && windowSeconds > 0
        ? Figure.of(sessions / windowSeconds * SECONDS_PER_HOUR)
        : Figure.missing("no session");
  }

  private static final class TurnSamples {
    private final TimedSamples ttft;
    private final TimedSamples e2e;
    private final TimedSamples seconds;
    private long requests;
    private long told;
    private long promptTokens;
    private long promptOfCached;
    private long cachedTokens;
    private boolean unstreamed;

    TurnSamples(TimeUnits time) {
      ttft = new TimedSamples(new SampleSet(), time);
      e2e = new TimedSamples(new SampleSet(), time);
      seconds = new TimedSamples(new SampleSet(), time);
    }

    void read(RequestRow row, boolean isTimed) {
      requests++;
      RequestRow.Usage usage = row.usage();
      if (usage.isKnown()) {
        told++;
        promptTokens += usage.promptTokens();
      }
      if (usage.isKnown() && usage.cachedTokens() != RequestRow.UNKNOWN) {
        promptOfCached += usage.promptTokens();
        cachedTokens += usage.cachedTokens();
      }
      if (!isTimed || !row.hasToken()) {
        return;
      }
      unstreamed |= row.isUnstreamed();
      if (row.hasFirstToken()) {
        ttft.add(row.firstTokenNanos() - row.times().intended(), row.firstTokenNanos());
      }
      if (row.ending().outcome() == Outcome.OK) {
        e2e.add(row.lastTokenNanos() - row.times().intended(), row.lastTokenNanos());
      }
    }

    SessionAccount.Turn turn(int line) {
      boolean isLast = line + 1 == FIRST_TURNS.size();
      return new SessionAccount.Turn(
          FIRST_TURNS.get(line), isLast ? 0 : FIRST_TURNS.get(line + 1) - 1, requests,
          ttft.distribution(Optional.of(Distribution.NOT_STREAMED).filter(any -> unstreamed)),
          e2e.distribution(), seconds.distribution(),
          over(promptTokens, told, "no usage"),
          over(cachedTokens, promptOfCached, "usage does not report cached tokens"));
    }

    private static Figure over(long sum, long count, String why) {
      return count == 0 ? Figure.missing(why) : Figure.of((double) sum / count);
    }
  }
}
