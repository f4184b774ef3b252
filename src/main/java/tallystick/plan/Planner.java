package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import tallystick.scenario.Arrival;
import tallystick.scenario.Dataset;
import tallystick.scenario.Rate;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

/** Resolves a scenario to exact starts and requests. */
public final class Planner {
  private final Scenario scenario;
  private final long seed;
  private final List<Phase> phases = new ArrayList<>();
  private final List<PlannedRequest> requests = new ArrayList<>();
  private final TargetTurns targets;
  private int nextUser;

  private Planner(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.seed = seed;
    this.targets = new TargetTurns(scenario.targets());
  }

  /**
   * The plan of a scenario: a pure function of its arguments, the same on every JDK.
   *
   * <p>The warm-up comes first and has its own origin. In a closed loop, and in a conversation, the
   * user's first request starts at an offset, every other one after the user's previous one. The
   * turns of a conversation lie behind each other in the plan and have one target.
   */
  public static Plan plan(Scenario scenario, long seed) {
    return new Planner(scenario, seed).plan();
  }

  private Plan plan() {
    Arrival arrival = scenario.workload().arrival();
    if (scenario.warmup().isBounded()) {
      addWindow(PlanPart.WARMUP, warmupArrival(arrival), scenario.warmup());
    }
    long duration = addWindow(PlanPart.MAIN, arrival, scenario.extent());
    return new Plan(settings(arrival, duration), requests);
  }

  private Settings settings(Arrival arrival, long durationNanos) {
    return new Settings(
        scenario.name(),
        seed,
        scenario.endpoint(),
        scenario.model(),
        scenario.targets(),
        arrival instanceof Arrival.Closed ? LoopShape.CLOSED : LoopShape.OPEN,
        concurrency(arrival),
        phases,
        scenario.objectives(),
        new Settings.Timing(
            durationNanos,
            scenario.limits().scrapeIntervalNanos(),
            scenario.limits().requestTimeoutNanos(),
            scenario.warmup().durationNanos() > 0 && scenario.warmup().requests() == 0,
            arrival instanceof Arrival.Closed closed ? closed.thinkTime().meanNanos() : 0,
            arrival instanceof Arrival.Open && scenario.extent().durationNanos() == 0
                ? scenario.extent().requests()
                : 0),
        scenario.request(),
        scenario.labels(),
        scenario.workload().classes().stream().map(Planner::classSettings).toList(),
        scenario.access(),
        scenario.stop(),
        scenario.exporters());
  }

  private static int concurrency(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open -> open.concurrencyCap();
      case Arrival.Closed closed -> closed.users();
      case Arrival.Trace trace -> trace.concurrencyCap();
    };
  }

  private static Settings.ClassSettings classSettings(RequestClass kind) {
    return new Settings.ClassSettings(
        kind.name(), kind.weight(), kind.form().model(), kind.form().extraBody(),
        kind.conversation().byResponseId());
  }

  /** The warm-up of a rate that changes runs at its mean; that of a trace at the trace's. */
  private Arrival warmupArrival(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Closed closed -> closed;
      case Arrival.Open open ->
          new Arrival.Open(
              new Rate.Steady(meanRate(open.rate())), open.burstiness(), open.concurrencyCap());
      case Arrival.Trace trace ->
          new Arrival.Open(
              new Rate.Steady(traceRate(trace)), Arrival.Open.CONSTANT, trace.concurrencyCap());
    };
  }

  private static double meanRate(Rate rate) {
    return switch (rate) {
      case Rate.Steady steady -> steady.perSecond();
      case Rate.Sine sine -> sine.mean();
      case Rate.Ramp ramp -> (ramp.from() + ramp.to()) / 2;
      case Rate.Steps steps -> {
        double seconds = steps.steps().stream().mapToLong(Rate.Step::nanos).sum() / 1e9;
        yield steps.requestsBy(seconds) / seconds;
      }
    };
  }

  /** A trace's mean rate, but at least 1 and at most 50 per second: some are very slow or short. */
  private double traceRate(Arrival.Trace trace) {
    List<Dataset.Entry> entries = dataset().dataset().entries();
    double seconds = entries.get(entries.size() - 1).atNanos() / 1e9 / trace.speed();
    return Math.max(1, Math.min(50, entries.size() / Math.max(1e-9, seconds)));
  }

  private RequestContent.FromDataset dataset() {
    return (RequestContent.FromDataset) scenario.workload().classes().get(0).content();
  }

  /** Adds a window's phases and requests, and returns its length. */
  private long addWindow(PlanPart part, Arrival arrival, Extent extent) {
    RequestDraw draw = new RequestDraw(scenario.workload().classes(), seed, part);
    return switch (arrival) {
      case Arrival.Closed closed -> addClosed(part, closed, extent, draw);
      case Arrival.Open open -> {
        RandomStream random = RandomStream.of(seed, part.word() + "/arrivals");
        LongSupplier starts = new StartTimes(open.rate(), open.burstiness(), random);
        yield addOpen(part, starts, PhaseCuts.of(part, open.rate()), extent, draw);
      }
      case Arrival.Trace trace -> {
        LongSupplier starts =
            StartTimes.ofTrace(dataset().dataset().entries(), trace.speed());
        yield addOpen(part, starts, PhaseCuts.whole(part, 0), extent, draw);
      }
    };
  }

  private long addOpen(
      PlanPart part, LongSupplier starts, PhaseCuts cuts, Extent extent, RequestDraw draw) {
    long bound = extent.durationNanos() > 0 ? extent.durationNanos() : StartTimes.NONE;
    int left = extent.requests() > 0 ? extent.requests() : Integer.MAX_VALUE;
    int before = requests.size();
    long next = starts.getAsLong();
    while (next < bound && left > 0) {
      left -= addArrival(cuts.phaseAt(next), nextUser++, next, 0, drawn(part, draw, left));
      next = starts.getAsLong();
    }
    long end = windowEnd(next, bound, before);
    phases.addAll(cuts.within(end));
    return end;
  }

  /** The window ends at its bound, or where the start after its last request would have been. */
  private long windowEnd(long nextStart, long bound, int firstIndex) {
    if (nextStart < bound) {
      return nextStart;
    }
    return bound < StartTimes.NONE ? bound : afterLast(firstIndex);
  }

  /** Where one more start would be at the mean distance of those of a window; a second for one. */
  private long afterLast(int firstIndex) {
    long[] offsets =
        requests.subList(firstIndex, requests.size()).stream()
            .mapToLong(PlannedRequest::offsetNanos)
            .filter(offset -> offset >= 0)
            .toArray();
    long last = offsets[offsets.length - 1];
    long distance = offsets.length < 2 ? 1_000_000_000L : last / (offsets.length - 1);
    return last + Math.max(1, distance);
  }

  private long addClosed(PlanPart part, Arrival.Closed closed, Extent extent, RequestDraw draw) {
    int left =
        extent.requests() > 0
            ? extent.requests()
            : ClosedBound.requests(scenario.workload(), extent.durationNanos());
    PauseDraw think =
        PauseDraw.of(closed.thinkTime(), RandomStream.of(seed, part.word() + "/user-think"));
    for (int arrivals = 0; left > 0; arrivals++) {
      boolean isFirst = arrivals < closed.users();
      long offset = isFirst ? 0 : PlannedRequest.AFTER_PREVIOUS;
      long pause = isFirst || part == PlanPart.WARMUP ? 0 : think.nanos();
      int user = nextUser + arrivals % closed.users();
      left -= addArrival(part.word(), user, offset, pause, drawn(part, draw, left));
    }
    nextUser += closed.users();
    long end =
        extent.durationNanos() > 0 ? extent.durationNanos() : Settings.Timing.UNBOUNDED_NANOS;
    phases.addAll(PhaseCuts.whole(part, 0).within(end));
    return end;
  }

  /**
   * What arrives next. A measured session is judged as a whole, and so it is planned whole, however
   * many requests are left; one of the warm-up, which may be much longer than that, is cut.
   */
  private static Draft drawn(PlanPart part, RequestDraw draw, int left) {
    Draft next = draw.next();
    return part == PlanPart.WARMUP ? next.first(left) : next;
  }

  /** Adds an arrival's requests and returns how many. */
  private int addArrival(
      String phase, int user, long offsetNanos, long pauseNanos, Draft draft) {
    int target = targets.next();
    int turn = 0;
    for (Draft.Turn each : draft.turns()) {
      Dataset.Link link = each.link();
      long later =
          link.after().isEmpty()
              ? PlannedRequest.AFTER_FIRST_START
              : PlannedRequest.AFTER_PREVIOUS;
      boolean isNext = link.isPrevious() || link.after().equals(List.of(turn - 1));
      requests.add(
          new PlannedRequest(
              requests.size(), phase, draft.requestClass(), user, turn,
              turn == 0 ? offsetNanos : later, turn == 0 ? pauseNanos : each.thinkNanos(),
              each.prompt(), each.maxTokens(), draft.choices(), target, each.cancel(),
              each.tool(), link.agent(), isNext ? List.of() : link.after(),
              link.forgets()));
      turn++;
    }
    return turn;
  }
}
