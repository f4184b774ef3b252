package tallystick.virtualrun;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualScrape;

/** A plan played on the engine in virtual time, with the protocol of a real run. */
final class VirtualRun {
  private static final long SCRAPE_NANOS = 1_000_000;
  private static final long SETTLE_NANOS = 10_000_000;

  /** As long as a real scrape may take. */
  private static final long TIMEOUT_NANOS = 5_000_000_000L;

  private final Plan plan;
  private final VirtualEngine engine;
  private final RecordWriter writer;
  private final VirtualCall.Parts parts;
  private final List<Series> series;
  private final int measured;
  private Stage stage = Stage.BEFORE;
  private VirtualLoad load;
  private int quietScrapes;

  private enum Stage {
    BEFORE,
    WARMUP,
    WARMED_UP,
    WINDOW,
    DRAINED
  }

  VirtualRun(Plan plan, VirtualEngine engine, RecordWriter writer, VirtualWorld world) {
    this.plan = plan;
    this.engine = engine;
    this.writer = writer;
    this.parts =
        new VirtualCall.Parts(
            engine,
            world,
            plan.settings().timing().requestTimeoutNanos(),
            plan.settings().options().ignoreEos(),
            plan.settings().options().withoutStream(),
            plan.settings().endpoint(),
            plan.settings().scenario() + "-" + plan.settings().seed());
    this.measured = Math.max(1, requests(false).size());
    this.series =
        engine.series().stream()
            .map(
                one ->
                    new Series(
                        one.name(),
                        one.labels(),
                        Series.Type.valueOf(one.type().toUpperCase(java.util.Locale.ROOT))))
            .toList();
  }

  /** Plays the whole run; {@code time} tells, in nanoseconds, how far it is. */
  void play(AtomicLong time) {
    engine.at(0, () -> scrape(time));
    engine.run();
  }

  private void scrape(AtomicLong time) {
    long start = engine.nanos();
    time.set(start);
    long delay = Math.min(engine.scrapeDelayNanos(), TIMEOUT_NANOS);
    if (delay > 0) {
      engine.at(start + delay, () -> answered(start, time));
    } else {
      answered(start, time);
    }
  }

  private void answered(long start, AtomicLong time) {
    VirtualScrape scrape =
        engine.nanos() - start < TIMEOUT_NANOS ? engine.scrape() : VirtualScrape.LATE;
    awaitRoom();
    writer.offer(
        new ScrapeRow(
            0, start, engine.nanos() + SCRAPE_NANOS, samples(scrape.values()), scrape.error()));
    if (load != null && stage != Stage.WARMUP) {
      HowFar.simulated(load.sent() / (double) measured);
      long inFlight = load.sent() - load.ok() - load.failed();
      writer.offer(
          new HarnessRow.Progress(start, load.sent(), inFlight, load.ok(), load.failed()));
    }
    if (!scrape.error().isEmpty() || goOn(start)) {
      engine.at(next(start), () -> scrape(time));
    }
  }

  /** The next point of the grid that is not past; scrapes never pile up. */
  private long next(long start) {
    long interval = settings().timing().scrapeIntervalNanos();
    return start + interval * Math.max(1, Math.ceilDiv(engine.nanos() - start, interval));
  }

  private List<Sample> samples(double[] values) {
    List<Sample> samples = new ArrayList<>(values.length);
    for (int i = 0; i < values.length; i++) {
      samples.add(new Sample(series.get(i), values[i]));
    }
    return samples;
  }

  /** Moves the protocol on; quiet means two scrapes of an idle engine. False at the end. */
  private boolean goOn(long scrapeStart) {
    boolean isIdle = stage != Stage.WARMUP && stage != Stage.WINDOW;
    quietScrapes = isIdle ? quietScrapes + 1 : 0;
    if (quietScrapes < 2) {
      return true;
    }
    quietScrapes = 0;
    switch (stage) {
      case BEFORE -> {
        List<PlannedRequest> warmup = requests(true);
        if (warmup.isEmpty()) {
          openWindow(scrapeStart);
        } else {
          note(Mark.Kind.QUIET_BEFORE_WARMUP, scrapeStart);
          drive(Stage.WARMUP, warmup, Mark.Kind.WARMUP_ORIGIN);
        }
      }
      case WARMED_UP -> openWindow(scrapeStart);
      case DRAINED -> {
        note(Mark.Kind.QUIET_AFTER_WINDOW, scrapeStart);
        return false;
      }
      case WARMUP, WINDOW -> throw new IllegalStateException("not idle in " + stage);
    }
    return true;
  }

  private void openWindow(long scrapeStart) {
    note(Mark.Kind.QUIET_BEFORE_WINDOW, scrapeStart);
    drive(Stage.WINDOW, requests(false), Mark.Kind.WINDOW_ORIGIN);
  }

  private void drive(Stage next, List<PlannedRequest> requests, Mark.Kind mark) {
    stage = next;
    long origin = engine.nanos() + SETTLE_NANOS;
    note(mark, origin);
    long duration = settings().windowNanos(next == Stage.WARMUP);
    load =
        new VirtualLoad(
            requests,
            settings(),
            parts,
            new VirtualLoad.Span(
                origin, duration,
                next == Stage.WARMUP && settings().timing().warmupEndsSessions()),
            this::write,
            this::drained);
    load.begin();
  }

  private void drained() {
    if (stage == Stage.WINDOW) {
      note(Mark.Kind.WINDOW_DRAINED, engine.nanos());
      stage = Stage.DRAINED;
    } else if (stage == Stage.WARMUP) {
      stage = Stage.WARMED_UP;
    }
  }

  private void write(RequestRow row) {
    awaitRoom();
    writer.offer(row);
  }

  private void awaitRoom() {
    try {
      writer.awaitRoom();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the record was written", e);
    }
  }

  private void note(Mark.Kind kind, long atNanos) {
    writer.offer(new Mark(atNanos, kind, ""));
  }

  private List<PlannedRequest> requests(boolean isWarmup) {
    return plan.requests().stream().filter(one -> one.isWarmup() == isWarmup).toList();
  }

  private Settings settings() {
    return plan.settings();
  }
}
