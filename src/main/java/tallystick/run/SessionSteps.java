package tallystick.run;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tallystick.gatling.Load;
import tallystick.gatling.LoadCounters;
import tallystick.gatling.RequestSender;
import tallystick.openai.CompletionClient;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Settings;
import tallystick.run.Progress.Stage;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.TargetList;
import tallystick.scrape.Quiescence;
import tallystick.scrape.QuietResult;
import tallystick.scrape.Scraper;

/**
 * The protocol of a run: quiet, warm-up, quiet, window, quiet. In-flight work at the ledger's two
 * ends is nothing by construction. Source: docs/metrics.md.
 */
final class SessionSteps {
  /** Whoever stopped it waits; three scrapes in a second or two show an idle engine. */
  private static final Duration QUIET_LIMIT_AFTER_STOP = Duration.ofSeconds(8);

  private static final long STOP_GRACE_SECONDS = 10; // then the record is closed without Gatling
  private static final long STOP_POLL_MILLIS = 100; // nobody notices such a delay

  private final Parts parts;
  private final EngineReadout readout;
  private volatile List<PlannedRequest> warmupRequests;
  /** Warm-up requests that were sent to settle how prompts are written. */
  private volatile int settling;
  private final List<PlannedRequest> measuredRequests;
  private volatile Stage stage = Stage.WAITING_FOR_QUIET;
  private volatile long stageStarted;
  private volatile Load load;
  /** Why the run ends before its plan is done. */
  private volatile Optional<RunEnd> early = Optional.empty();

  /**
   * What the steps work with.
   *
   * @param listed where targets are listed that this process scrapes; of shards only one does
   * @param rehearsal goes on beside the first wait for quiet; nothing is sent before its end
   */
  record Parts(
      Plan plan,
      TargetList listed,
      RecordFiles files,
      RunClock clock,
      RecordWriter writer,
      Scraper scraper,
      CompletionClient client,
      PromptChoice prompts,
      RequestSender sender,
      Future<Void> rehearsal,
      Duration quietTimeout,
      StopWatch stopWatch,
      Consumer<Progress> progress) {}

  SessionSteps(Parts parts) {
    this.parts = parts;
    this.readout = new EngineReadout(parts.scraper());
    this.warmupRequests = requests(parts.plan(), true);
    this.measuredRequests = requests(parts.plan(), false);
    this.stageStarted = parts.clock().nanos();
  }

  Settings settings() {
    return parts.plan().settings();
  }

  RunEnd play(Quiescence quiescence, boolean allowForeignTraffic) throws InterruptedException {
    QuietResult before = awaitQuiet(quiescence, Mark.Kind.QUIET_BEFORE_WARMUP);
    if (!before.isQuiet() && !allowForeignTraffic && early.isEmpty()) {
      return busy(before);
    }
    boolean isTouched = early.isEmpty() && settlePrompts();
    if (!warmupRequests.isEmpty()) {
      drive(Stage.WARMUP);
      isTouched = true;
    }
    if (isTouched) {
      QuietResult between = awaitQuiet(quiescence, Mark.Kind.QUIET_BEFORE_WINDOW);
      if (!between.isQuiet() && !allowForeignTraffic && early.isEmpty()) {
        return busy(between);
      }
    } else {
      note(before.isQuiet() ? Mark.Kind.QUIET_BEFORE_WINDOW : Mark.Kind.NOT_QUIET,
          Math.max(0, before.atNanos()), before.detail());
    }
    if (early.isEmpty()) {
      drive(Stage.MEASURING);
    }
    noteDrained();
    return finish(quiescence);
  }

  void noteDrained() {
    note(Mark.Kind.WINDOW_DRAINED, parts.clock().nanos(), "");
    Load played = load;
    if (settings().access().http2() && played != null) {
      note(Mark.Kind.HTTP_VERSIONS, parts.clock().nanos(), played.counters().protocols());
    }
  }

  /** After the window: counts the engines once more; how the run ended. */
  RunEnd finish(Quiescence quiescence) {
    awaitQuiet(quiescence, Mark.Kind.QUIET_AFTER_WINDOW);
    enter(Stage.CLOSING);
    return early.orElse(new RunEnd(RunEnd.Kind.COMPLETED, ""));
  }

  /** Whether the plan has a warm-up that is still to be sent. */
  boolean hasWarmup() {
    return !warmupRequests.isEmpty();
  }

  /** Whether the run is to end before its plan is done. */
  boolean isEnding() {
    return early.isPresent();
  }

  /** Learns how prompts are to be written; whether anything was sent for it. */
  boolean settlePrompts() throws InterruptedException {
    enter(Stage.REHEARSING);
    try {
      parts.rehearsal().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the client could not be rehearsed", e.getCause());
    }
    if (early.isPresent()) {
      return false;
    }
    enter(Stage.WARMUP);
    PromptChoice.Settled settled = parts.prompts().settle();
    settled.refusal().ifPresent(why -> endLoad(new RunEnd(RunEnd.Kind.REFUSED, why)));
    parts.sender().writeWith(settled.writer());
    parts.writer().settle(settled.form());
    note(Mark.Kind.PROMPTS_SETTLED, parts.clock().nanos(), settled.reason());
    List<PlannedRequest> left =
        warmupRequests.stream().filter(r -> !settled.spent().contains(r.index())).toList();
    settling = warmupRequests.size() - left.size();
    warmupRequests = left;
    return settled.isSent();
  }

  /** Ends the run now: nothing new is sent, what is in flight is left. Threads: any. */
  void stop(String reason) {
    if (stage != Stage.CLOSING) {
      endLoad(new RunEnd(RunEnd.Kind.INTERRUPTED, reason));
      parts.client().cancelAll();
    }
  }

  /** Sends nothing more; what is in flight is left. Threads: any. */
  void endLoad(RunEnd why) {
    if (early.isEmpty()) {
      early = Optional.of(why);
      note(Mark.Kind.STOPPED, parts.clock().nanos(), why.detail());
    }
    Load running = load;
    if (running != null) {
      running.stop();
    }
  }

  /** A rule of the scenario ends the load, but what is in flight is waited for. */
  private void applyStopRules(Progress progress) {
    if (stage == Stage.MEASURING && early.isEmpty()) {
      parts
          .stopWatch()
          .verdict(progress.elapsedNanos(), progress.engine().waiting())
          .ifPresent(rule -> endLoad(new RunEnd(RunEnd.Kind.STOPPED, rule)));
    }
  }

  /** Notes the counts so far, in the record and for whoever watches. */
  void noteProgress() {
    Load running = load;
    long now = parts.clock().nanos();
    if (running != null && stage != Stage.WARMUP) {
      var counters = running.counters();
      parts.writer().offer(
          new HarnessRow.Progress(
              now, counters.sent(), counters.inFlight(), counters.ok(),
              counters.failed() + counters.left()));
    }
    if (parts.writer().failure().isPresent()) {
      stop("the record could not be written");
    }
    Progress progress = progress(running, now);
    applyStopRules(progress);
    parts.progress().accept(progress);
  }

  private Progress progress(Load running, long now) {
    long elapsed = Math.max(0, now - stageStarted);
    boolean isWarmup = stage == Stage.WARMUP;
    long total = isWarmup || stage == Stage.MEASURING ? settings().windowNanos(isWarmup) : 0;
    boolean endsByTime =
        settings().loop() == LoopShape.CLOSED && total < Settings.Timing.UNBOUNDED_NANOS;
    int before = isWarmup ? settling : 0;
    long planned =
        endsByTime ? 0 : before + (isWarmup ? warmupRequests : measuredRequests).size();
    LoadCounters counters = running == null ? new LoadCounters() : running.counters();
    boolean any = counters.largestFirstTokenNanos() > 0;
    return new Progress(
        stage, elapsed, running == null ? 0 : total, planned,
        before + counters.sent(), counters.inFlight(), before + counters.ok(),
        counters.failed(), counters.left(),
        new Progress.Waits(
            counters.firstTokenNanos() / 1e9, counters.firstTokens(),
            counters.gapNanos() / 1e9, counters.gaps()),
        any ? counters.largestFirstTokenNanos() / 1e9 : Double.NaN,
        readout.gauges());
  }

  QuietResult awaitQuiet(Quiescence quiescence, Mark.Kind kind) {
    return awaitQuiet(quiescence, kind, parts.quietTimeout());
  }

  /** Waits until the engines are idle, and marks the scrape that says so. */
  QuietResult awaitQuiet(Quiescence quiescence, Mark.Kind kind, Duration most) {
    enter(stage == Stage.WAITING_FOR_QUIET || stage == Stage.WARMUP
        ? Stage.WAITING_FOR_QUIET : Stage.DRAINING);
    if (parts.scraper().targets().isEmpty()) {
      long now = parts.clock().nanos();
      if (parts.listed().exists()) {
        note(Mark.Kind.NOT_QUIET, now, "no target is listed any more");
        return new QuietResult(QuietResult.Verdict.NOT_QUIET, QuietResult.NEVER, "");
      }
      note(kind, now, "no engine metrics are scraped");
      return new QuietResult(QuietResult.Verdict.QUIET, now, "");
    }
    QuietResult result =
        quiescence.await(early.isEmpty() ? most : QUIET_LIMIT_AFTER_STOP);
    if (result.isQuiet()) {
      note(kind, result.atNanos(), result.detail());
    } else {
      note(Mark.Kind.NOT_QUIET, parts.clock().nanos(), result.verdict() + ": " + result.detail());
    }
    if (result.verdict() == QuietResult.Verdict.STALE_GAUGE) {
      note(Mark.Kind.STALE_GAUGE, result.atNanos(), result.detail());
    }
    return result;
  }

  static RunEnd busy(QuietResult result) {
    boolean isLost = result.verdict() == QuietResult.Verdict.UNREACHABLE;
    return new RunEnd(
        isLost ? RunEnd.Kind.METRICS_LOST : RunEnd.Kind.TARGET_BUSY, result.detail());
  }

  /** Plays the warm-up or the window, as soon as can be. */
  private void drive(Stage next) throws InterruptedException {
    Optional<GatlingThread> gatling = prepare(next, OptionalLong.empty());
    if (gatling.isPresent()) {
      follow(next, gatling.get());
    }
  }

  /**
   * Has Gatling make ready for the warm-up or the window; empty if the run is to end before.
   *
   * @param origin the load's origin, {@code System.nanoTime()}; empty for as soon as can be
   */
  Optional<GatlingThread> prepare(Stage next, OptionalLong origin) {
    boolean isWarmup = next == Stage.WARMUP;
    Mark.Kind originMark = isWarmup ? Mark.Kind.WARMUP_ORIGIN : Mark.Kind.WINDOW_ORIGIN;
    load =
        new Load(
            isWarmup ? warmupRequests : measuredRequests,
            settings().loop(),
            settings().concurrency(),
            settings().windowNanos(isWarmup),
            parts.sender(),
            begun -> noteOrigin(originMark, begun, origin.orElse(begun)));
    origin.ifPresent(load::beginAt);
    enter(next);
    if (early.isPresent()) {
      return Optional.empty();
    }
    parts.client().dropIdleConnections();
    String folder = isWarmup ? "warmup" : "window";
    return Optional.of(new GatlingThread(load, parts.files().gatling().resolve(folder)));
  }

  /** Waits for the end of what Gatling drives. */
  void follow(Stage playing, GatlingThread gatling) throws InterruptedException {
    stage = playing;
    while ((early.isEmpty() || isDraining()) && gatling.isAlive()) {
      gatling.join(STOP_POLL_MILLIS);
      if (playing == Stage.WARMUP && settings().timing().warmupEndsSessions()
          && load.isPastItsTime()) {
        load.stop();
      }
    }
    gatling.join(TimeUnit.SECONDS.toMillis(early.isEmpty() ? 1 : STOP_GRACE_SECONDS));
  }

  /** Whether a rule stopped it and answers are to come; Gatling may hold a user for minutes yet. */
  private boolean isDraining() {
    return early.filter(end -> end.kind() == RunEnd.Kind.STOPPED).isPresent()
        && load.counters().inFlight() > 0;
  }

  /** Gatling takes a while to start; what counts is the time since the load's origin. */
  private void noteOrigin(Mark.Kind kind, long begun, long wanted) {
    if (begun > wanted) {
      String late = String.format(Locale.ROOT, "%.3f s", (begun - wanted) / 1e9);
      endLoad(new RunEnd(RunEnd.Kind.LATE, "the load began " + late + " after its moment"));
    }
    stageStarted = parts.clock().fromNanoTime(begun);
    note(kind, stageStarted, "");
  }

  private static List<PlannedRequest> requests(Plan plan, boolean warmup) {
    Set<String> names =
        plan.settings().phases().stream()
            .filter(phase -> phase.warmup() == warmup)
            .map(Phase::name)
            .collect(Collectors.toSet());
    return plan.requests().stream().filter(r -> names.contains(r.phase())).toList();
  }

  private void enter(Stage next) {
    stage = next;
    stageStarted = parts.clock().nanos();
  }

  private void note(Mark.Kind kind, long at, String detail) {
    parts.writer().offer(new Mark(at, kind, detail));
  }
}
