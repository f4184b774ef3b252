package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Arrival;
import tallystick.scenario.Lengths;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

/** Resolves a scenario to exact starts and requests. */
public final class Planner {
  /** Name of the discarded phase. */
  public static final String WARMUP = "warmup";

  /** Name of the measured phase of a scenario without named steps. */
  public static final String MAIN = "main";

  /**
   * Quickest answers a closed loop is planned for: {@value} ns and as much again per output token.
   * No engine is known that answers below it, so that a run that is bounded by time does not run
   * out of planned requests.
   */
  static final long QUICKEST_TOKEN_NANOS = 1_000_000;

  /** Most requests of a closed loop that is bounded by time alone. */
  static final int MOST_CLOSED_REQUESTS = 200_000;

  private final Scenario scenario;
  private final long seed;
  private final List<Phase> phases = new ArrayList<>();
  private final List<PlannedRequest> requests = new ArrayList<>();
  private final TargetTurns targets;
  private int firstUser;

  private Planner(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.seed = seed;
    this.targets = new TargetTurns(scenario.targets());
  }

  /**
   * The plan of a scenario: a pure function of its arguments, the same on every JDK.
   *
   * <p>The warm-up comes first and has its own origin. In a closed loop, and in a conversation, the
   * user's first request starts at an offset, every other one after the user's previous one.
   */
  public static Plan plan(Scenario scenario, long seed) {
    return new Planner(scenario, seed).plan();
  }

  private Plan plan() {
    Arrival arrival = scenario.workload().arrival();
    if (scenario.warmup().isBounded()) {
      addWindow(WARMUP, scenario.warmup());
    }
    long duration = addWindow(MAIN, scenario.extent());
    Settings settings =
        new Settings(
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
                duration,
                scenario.limits().scrapeIntervalNanos(),
                scenario.limits().requestTimeoutNanos()),
            options(),
            scenario.labels());
    return new Plan(settings, requests);
  }

  private static int concurrency(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open -> open.concurrencyCap();
      case Arrival.Closed closed -> closed.users();
    };
  }

  private Settings.RequestOptions options() {
    Scenario.RequestForm form = scenario.request();
    return new Settings.RequestOptions(
        form.ignoreEos(), form.samePrompts(), form.continuousUsage(), form.extraBody(),
        form.headers());
  }

  /** Adds a window's phases and requests, and returns its length. */
  private long addWindow(String name, Extent extent) {
    RequestDraw draw = new RequestDraw(scenario.workload().classes(), seed, name);
    return switch (scenario.workload().arrival()) {
      case Arrival.Open open -> addOpen(name, open, extent, draw);
      case Arrival.Closed closed -> addClosed(name, closed, extent, draw);
    };
  }

  private long addOpen(String name, Arrival.Open open, Extent extent, RequestDraw draw) {
    StartTimes starts =
        StartTimes.draw(open, extent, RandomStream.of(seed, name + "/arrivals"));
    for (long offset : starts.offsetNanos()) {
      add(name, firstUser++, offset, draw.next());
    }
    double rate =
        switch (open.rate()) {
          case Rate.Steady steady -> steady.perSecond();
        };
    phases.add(new Phase(name, name.equals(WARMUP), 0, starts.endNanos(), rate));
    return starts.endNanos();
  }

  private long addClosed(String name, Arrival.Closed closed, Extent extent, RequestDraw draw) {
    int users = closed.users();
    int count = extent.requests() > 0 ? extent.requests() : closedBound(users, extent);
    for (int i = 0; i < count; i++) {
      long offset = i < users ? 0 : PlannedRequest.AFTER_PREVIOUS;
      add(name, firstUser + i % users, offset, draw.next());
    }
    firstUser += users;
    long end =
        extent.durationNanos() > 0 ? extent.durationNanos() : Settings.Timing.UNBOUNDED_NANOS;
    phases.add(new Phase(name, name.equals(WARMUP), 0, end, 0));
    return end;
  }

  private int closedBound(int users, Extent extent) {
    long shortest =
        scenario.workload().classes().stream()
            .map(RequestClass::outputTokens)
            .mapToInt(Lengths::least)
            .min()
            .orElse(1);
    long perUser = extent.durationNanos() / (QUICKEST_TOKEN_NANOS * (1 + shortest)) + 1;
    return (int) Math.max(users, Math.min(MOST_CLOSED_REQUESTS, perUser * users));
  }

  private void add(String phase, int user, long offset, RequestDraw.Draft draft) {
    requests.add(
        new PlannedRequest(
            requests.size(), phase, draft.requestClass(), user, 0, offset, 0, draft.prompt(),
            draft.maxTokens(), 1, targets.next(), PlannedRequest.Cancel.NEVER));
  }
}
