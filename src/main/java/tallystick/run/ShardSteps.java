package tallystick.run;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.run.Progress.Stage;
import tallystick.runrecord.ClockBracket;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;
import tallystick.scenario.Target;
import tallystick.scrape.Quiescence;
import tallystick.scrape.QuietResult;
import tallystick.scrape.ServerDates;

/**
 * The protocol of one shard. Warm-up and window begin at moments that all shards know beforehand,
 * so nobody has to tell anybody anything. A shard that cannot keep a moment sends nothing more.
 */
final class ShardSteps {
  /** Half a second less than the lead, so that it ends before the load begins. */
  private static final Duration QUIET_LIMIT = Duration.ofMillis(4_500);

  private static final long POLL_NANOS = 50_000_000L; // so late an order to end is heard
  private static final long CLOCKS_APART_NANOS = 1_000_000_000L; // NTP keeps clocks far closer
  private static final double NANOS = 1e9;

  private final SessionSteps steps;
  private final RecordFiles files;
  private final Manifest manifest;
  private final Shard shard;
  private final Plan whole;

  /**
   * The protocol.
   *
   * @param whole the plan of all shards
   */
  ShardSteps(
      SessionSteps steps, RecordFiles files, Manifest manifest, Shard shard, Plan whole) {
    this.steps = steps;
    this.files = files;
    this.manifest = manifest;
    this.shard = shard;
    this.whole = whole;
  }

  RunEnd play(Quiescence quiescence) throws IOException, InterruptedException {
    steps.settlePrompts();
    standReady();
    if (steps.hasWarmup()) {
      begin(Stage.WARMUP, shard.startUtcNanos(), quiescence, Mark.Kind.QUIET_BEFORE_WARMUP);
    }
    begin(Stage.MEASURING, shard.windowUtcNanos(), quiescence, Mark.Kind.QUIET_BEFORE_WINDOW);
    steps.noteDrained();
    if (shard.scrapes()) {
      waitUntil(othersEndUtcNanos());
    }
    return steps.finish(quiescence);
  }

  private void standReady() throws IOException, InterruptedException {
    Target first = manifest.targets().get(0);
    String caFile = steps.settings().access().caFile();
    ClockBracket clock = ServerDates.bracket(first.url(), caFile, RunClock::utcNanos);
    ShardJson.write(shard.ready(RunClock.utcNanos(), clock), files.shard());
  }

  private void begin(
      Stage stage, long originUtcNanos, Quiescence quiescence, Mark.Kind quiet)
      throws InterruptedException {
    long ready = originUtcNanos - Shard.LEAD_NANOS;
    double late = (RunClock.utcNanos() - ready) / NANOS;
    if (late > 0 && !steps.isEnding()) {
      boolean isFirst = originUtcNanos == shard.startUtcNanos();
      steps.endLoad(
          new RunEnd(
              RunEnd.Kind.LATE,
              String.format(
                  Locale.ROOT,
                  isFirst
                      ? "it stood ready %.1f s too late; give it a later --start-at"
                      : "its warm-up ended %.1f s too late; give it longer with --drain",
                  late)));
    }
    long origin = System.nanoTime() + originUtcNanos - RunClock.utcNanos();
    Optional<GatlingThread> gatling = steps.prepare(stage, OptionalLong.of(origin));
    waitUntil(ready);
    if (gatling.isEmpty() || steps.isEnding()) {
      return;
    }
    QuietResult before = steps.awaitQuiet(quiescence, quiet, QUIET_LIMIT);
    if (!before.isQuiet()) {
      steps.endLoad(SessionSteps.busy(before));
    }
    steps.follow(stage, gatling.get());
  }

  /** When the last of the others has surely sent what it sends by the clock; answers may follow. */
  private long othersEndUtcNanos() {
    long window =
        steps.settings().timing().isBounded() ? steps.settings().timing().durationNanos() : 0;
    long thinking =
        whole.requests().stream().mapToLong(PlannedRequest::thinkNanos).max().orElse(0);
    return shard.windowUtcNanos() + window + thinking + CLOCKS_APART_NANOS;
  }

  private void waitUntil(long utcNanos) throws InterruptedException {
    for (long left = utcNanos - RunClock.utcNanos();
        left > 0 && !steps.isEnding();
        left = utcNanos - RunClock.utcNanos()) {
      TimeUnit.NANOSECONDS.sleep(Math.min(left, POLL_NANOS));
    }
  }
}
