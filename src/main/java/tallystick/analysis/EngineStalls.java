package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.analysis.client.StallCandidates;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.SampleSet;

/**
 * Stretches in which the engine, or one of several, made no token although streams were under way,
 * or although requests waited and none ran: neither counter of tokens grew and the engine had
 * requests, at the scrapes at both ends and at all between. An engine that takes prompts in while
 * some run goes on: of a prompt that is given up before its first token no token tells. Read off
 * the scrapes, so the true stretch is longer by up to one interval at each end.
 */
final class EngineStalls {
  /** A step, a collection or a long prefill of one request may last as long. */
  private static final double SHORTEST_SECONDS = 2;

  /** An engine that is slow by itself pauses for this many of its own gaps. */
  private static final double SLOW_GAPS = 20;

  /** One first token may have waited on its way. */
  private static final long FEWEST_BEGUN = 2;

  /**
   * One of them.
   *
   * @param engine the one engine of several that stood still while others went on; empty where all
   *     did
   * @param fromSeconds its first scrape without growth before it, after the window's origin
   * @param toSeconds its last scrape without growth
   * @param mostSeconds how long it was at most, from the scrape before it to the one after it;
   *     infinite where there is none
   */
  record Standstill(String engine, double fromSeconds, double toSeconds, double mostSeconds) {
    double seconds() {
      return toSeconds - fromSeconds;
    }

    /** How much of it lies within a stretch. */
    double within(double from, double to) {
      return Math.max(0, Math.min(to, toSeconds) - Math.max(from, fromSeconds));
    }
  }

  private final RunReading run;
  private final double shortest;
  private final StallCandidates.ActiveStreams streams;
  private final StallCandidates.ActiveStreams waits;
  private final StallCandidates.ActiveStreams due;

  private EngineStalls(RunReading run) {
    this.run = run;
    this.streams = run.client().stalls().streams();
    this.waits = run.client().stalls().waits();
    this.due = run.client().stalls().due();
    this.shortest = Math.max(SHORTEST_SECONDS, SLOW_GAPS * typicalGap(run));
  }

  /** All of a run: first those of all engines together, then each engine's own. */
  static List<Standstill> of(RunReading run) {
    EngineStalls search = new EngineStalls(run);
    List<Standstill> found = search.in(new IntervalGrid(run.reading()), "");
    Map<String, IntervalGrid> engines = IntervalGrid.ofEach(run.reading());
    if (engines.size() > 1) {
      List<Standstill> together = List.copyOf(found);
      engines.forEach(
          (name, grid) ->
              search.in(grid, name).stream()
                  .filter(one -> !isTold(one, together))
                  .forEach(found::add));
    }
    return found;
  }

  private static boolean isKnown(double[] growth, int interval) {
    return interval < growth.length && !Double.isNaN(growth[interval]);
  }

  private static boolean isTold(Standstill one, List<Standstill> together) {
    double told =
        together.stream()
            .mapToDouble(all -> one.within(all.fromSeconds, all.toSeconds))
            .sum();
    return told >= one.seconds() / 2;
  }

  private List<Standstill> in(IntervalGrid grid, String engine) {
    if (!grid.knows(EngineColumns.GENERATION_TOKENS)) {
      return List.of();
    }
    double[] tokens = grid.growth(EngineColumns.GENERATION_TOKENS);
    double[] firsts = grid.growth(EngineColumns.countOf(Latency.TTFT));
    double[] running = grid.gauge(EngineColumns.RUNNING);
    double[] waiting = grid.gauge(EngineColumns.WAITING);
    boolean[] isBusy = prompts(grid, running, waiting);
    double[] waited = grid.growth(EngineColumns.sumOf(Latency.TTFT));
    List<Standstill> found = new ArrayList<>();
    int from = -1;
    boolean isHeld = true;
    boolean isNoneRunning = true;
    for (int i = 0; i <= grid.size(); i++) {
      boolean isSilent = i < grid.size() && tokens[i] == 0 && firsts[i] == 0 && !isBusy[i];
      boolean holds = isSilent && running[i] + waiting[i] > 0;
      boolean still = holds || isSilent && engine.isEmpty() && isAsked(grid.startSeconds(i));
      if (still) {
        isHeld = from < 0 ? holds : isHeld && holds;
        isNoneRunning = (from < 0 || isNoneRunning) && running[i] == 0;
        from = from < 0 ? i : from;
      } else if (from >= 0) {
        double start = grid.startSeconds(from);
        double end = grid.endSeconds(i - 1);
        boolean isBounded = from > 0 && isKnown(tokens, from - 1) && isKnown(tokens, i);
        double most = isBounded
            ? grid.endSeconds(i) - grid.startSeconds(from - 1) : Double.POSITIVE_INFINITY;
        Standstill one = new Standstill(engine, start, end, most);
        boolean hadRequests = isHeld
            ? isNoneRunning || streams.at(nanos(one.fromSeconds)) > 0
            : i < grid.size() && isLongWait(waited[i], firsts[i], one.seconds())
                && !wasClientStill(one);
        boolean isTrue = !engine.isEmpty() || !isDenied(one);
        if (one.seconds() >= shortest && hadRequests && isTrue && !holdsRestart(one)) {
          found.add(one);
        }
        from = -1;
      }
    }
    return found;
  }

  /**
   * Intervals in which the engine looked prompts up and had some run, or fewer wait. One that looks
   * the same prompt up again and again and never begins it stands still all the same.
   */
  private static boolean[] prompts(IntervalGrid grid, double[] running, double[] waiting) {
    double[] lookedUp = grid.growth(EngineColumns.PREFIX_QUERIES);
    boolean[] busy = new boolean[grid.size()];
    for (int i = 0; i < busy.length; i++) {
      boolean isMoving = running[i] > 0 || i > 0 && waiting[i] < waiting[i - 1];
      busy[i] = isMoving && lookedUp[i] > 0;
    }
    return busy;
  }

  /**
   * Whether tokens went on arriving in the middle of it: then the scrapes are late or a frozen
   * copy, and the engine was not still. One of several engines cannot be told by the client's
   * streams.
   */
  private boolean isDenied(Standstill one) {
    if (!streams.known()) {
      return false;
    }
    double quarter = one.seconds() / 4;
    long begun =
        streams.startedBetween(nanos(one.fromSeconds + quarter), nanos(one.toSeconds - quarter));
    long middle = nanos(one.fromSeconds + 2 * quarter);
    long silent = run.client().stalls().silent(middle, Math.round(2 * quarter * 1e9));
    return begun >= FEWEST_BEGUN || 2 * silent < streams.at(middle);
  }

  /** One that asks for nothing although requests are due stands still itself, and stamps late. */
  private boolean wasClientStill(Standstill one) {
    long from = nanos(one.fromSeconds);
    long to = nanos(one.toSeconds);
    long middle = (from + to) / 2;
    return run.harness().still().isMostOf(from, to)
        || due.at(middle) > 0 && waits.startedBetween(from, middle) == 0;
  }

  /** An engine that died in it and came back did not stand still. */
  private boolean holdsRestart(Standstill one) {
    return run.reading().targets().values().stream()
        .flatMap(target -> target.newLives().stream())
        .anyMatch(
            life ->
                life.backNanos() > nanos(one.fromSeconds)
                    && life.lastSeenNanos() < nanos(one.toSeconds));
  }

  /**
   * Whether a request had been written and waits for its first token. A core that stops while it is
   * idle takes none in, and its gauges stay at 0; that they were in the engine shows afterwards, in
   * its own TTFT.
   */
  private boolean isAsked(double seconds) {
    return waits.at(nanos(seconds)) > 0;
  }

  /** Who came meanwhile waited for half of it on average; many short waits add up, too. */
  private static boolean isLongWait(double waited, double requests, double seconds) {
    return waited >= seconds / 2 && waited >= requests * seconds / 4;
  }

  private long nanos(double seconds) {
    return run.window().originNanos() + Math.round(seconds * 1e9);
  }

  private static double typicalGap(RunReading run) {
    SampleSet gaps = run.client().latencies().chunkGaps();
    return gaps.count() == 0 ? 0 : gaps.plainQuantileSeconds(0.5);
  }
}
