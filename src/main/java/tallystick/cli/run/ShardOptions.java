package tallystick.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.FailureWords;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.plan.Plan;
import tallystick.plan.ShardPlan;
import tallystick.run.RunEnd;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.Scenario;

/** What makes a run one shard of a larger one. */
final class ShardOptions {
  private static final Pattern PART = Pattern.compile("(\\d{1,4})/(\\d{1,4})");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,10}(\\.\\d{1,9})?");
  private static final String READY = "ready";
  private static final double NANOS = 1e9;

  /** Leaves two minutes at least when it is cut to whole minutes. */
  private static final long AHEAD_SECONDS = 180;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "send every N-th arrival only: 0/3, 1/3 and 2/3 on three machines")
  private String part;

  @Option(
      names = "--start-at",
      paramLabel = "TIME",
      description =
          "common start of all shards: seconds since 1970, or 2026-11-22T19:00:00Z; ready: 90 s"
              + " after all have signed in, by files in the folder of --out")
  private String startAt;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "time from the warm-up's last start to a shard's window (${DEFAULT-VALUE})")
  private String drain;

  /** Refuses what no shard can do. */
  void check(Scenario scenario) {
    if (part == null && startAt != null) {
      throw new Mistake(
          "--start-at is the common start of shards: name the shard with --shard I/N");
    }
    if (part != null && startAt == null) {
      throw new Mistake("--shard needs the common start: --start-at TIME, the same for all shards");
    }
    if (part != null && scenario.targets().isEmpty()) {
      throw new Mistake(
          "--shard needs a target that all shards load: --target URL; for a simulated one start"
              + " ./tally engine");
    }
  }

  /**
   * The same shard at the moment that all agree on, where they are to; waits for the others.
   *
   * @param out where all shards of the run write
   */
  Shard agreed(Shard shard, Plan plan, Path out, PrintWriter console)
      throws IOException, InterruptedException {
    return startAt.equals(READY)
        ? at(
            new CommonStart(out.resolve("start-together"), shard.index(), shard.count())
                .agreed(console),
            shard.index(), shard.count(), plan)
        : shard;
  }

  /** The shard of a plan that is asked for; empty for a whole run. */
  Optional<Shard> shard(Plan plan) {
    if (part == null) {
      return Optional.empty();
    }
    Matcher given = PART.matcher(part);
    if (!given.matches()) {
      throw new Mistake("--shard must be I/N like 0/3, was \"" + part + "\"");
    }
    int index = Integer.parseInt(given.group(1));
    int count = Integer.parseInt(given.group(2));
    if (count < 1 || count > Shard.MOST || index >= count) {
      throw new Mistake(
          "--shard " + part + ": shards are counted from 0, so the last of N is N-1/N; N is 1 to "
              + Shard.MOST);
    }
    String obstacle = new ShardPlan(plan, count).obstacle();
    if (!obstacle.isEmpty()) {
      throw new Mistake("--shard " + part + ": " + obstacle);
    }
    // What is not agreed yet is about so far ahead.
    Instant start = startAt.equals(READY) ? Instant.now().plus(CommonStart.AHEAD) : start();
    return Optional.of(at(start, index, count, plan));
  }

  private Shard at(Instant start, int index, int count, Plan plan) {
    long drainNanos = Math.round(GivenTime.seconds("--drain", drain) * NANOS);
    long startNanos = start.getEpochSecond() * 1_000_000_000L + start.getNano();
    Shard shard = Shard.planned(index, count, plan, startNanos, drainNanos);
    double left = (shard.startUtcNanos() - RunClock.utcNanos()) / NANOS;
    if (left * NANOS < Shard.LEAD_NANOS) {
      throw new Mistake(
          String.format(
              Locale.ROOT,
              "--start-at %s is %s: a shard needs about 20 s to get ready; give all shards one"
                  + " moment a minute or more ahead, for example %s",
              startAt,
              left < 0 ? "past" : String.format(Locale.ROOT, "%.1f s from now", left),
              Instant.ofEpochSecond(0, RunClock.utcNanos())
                  .plusSeconds(AHEAD_SECONDS)
                  .truncatedTo(ChronoUnit.MINUTES)));
    }
    return shard;
  }

  private Instant start() {
    if (SECONDS.matcher(startAt).matches()) {
      return Instant.ofEpochSecond(
          0, new java.math.BigDecimal(startAt).movePointRight(9).longValue());
    }
    try {
      return Instant.parse(startAt);
    } catch (DateTimeParseException e) {
      throw new Mistake(
          "--start-at must be seconds since 1970, a time like 2026-11-22T19:00:00Z, or ready, was"
              + " \"" + startAt + "\"");
    }
  }

  /** Said before the shard waits for its start. */
  static String announcement(Shard shard) {
    return String.format(
        Locale.ROOT,
        "This is %s. All begin at %s, in %s; it must stand ready %.0f s before.",
        shard.words(),
        Instant.ofEpochSecond(0, shard.startUtcNanos()),
        LengthOfTime.words((shard.startUtcNanos() - RunClock.utcNanos()) / NANOS),
        Shard.LEAD_NANOS / NANOS);
  }

  /** Says how a shard ended; it is not reported by itself. */
  static int conclude(RunEnd end, Path folder, PrintWriter console) throws IOException {
    Shard shard = ShardJson.read(RecordFiles.ofRun(folder).shard()).orElseThrow();
    String kind = end.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    console.println(
        shard.words() + ": " + kind
            + (end.detail().isEmpty() || end.detail().equals(kind)
                ? ""
                : ": " + FailureWords.plain(end.detail())));
    console.println(
        "The target's clock is ahead by " + shard.clock().words() + " (" + shard.clock().dates()
            + " Date headers).");
    next(end.kind()).forEach(console::println);
    return switch (end.kind()) {
      case COMPLETED, STOPPED -> ExitCode.GOOD.number();
      case INTERRUPTED -> ExitCode.INTERRUPTED.number();
      case TARGET_BUSY, LATE, CRASHED -> ExitCode.NOT_TRUSTED.number();
      case METRICS_LOST, DISK_FAILED -> ExitCode.WORLD_FAILED.number();
      case REFUSED -> ExitCode.USER_MISTAKE.number();
    };
  }

  /** Shards that did not all reach their end are joined, but as no run of their plan. */
  private static List<String> next(RunEnd.Kind kind) {
    return switch (kind) {
      case COMPLETED ->
          List.of(
              "NEXT     ./tally merge FOLDER … --out RUN  # with the folders of all shards");
      case TARGET_BUSY, LATE, METRICS_LOST, REFUSED ->
          List.of(
              "NEXT     End the other shards, and start all of them at a later --start-at:",
              "         this one did not send its load, so there is no whole run to join.");
      case STOPPED, INTERRUPTED, CRASHED, DISK_FAILED ->
          List.of(
              "NEXT     Start all shards anew at a later --start-at for a run to be trusted.",
              "         ./tally merge FOLDER … --out RUN  # what was sent, exit code 4");
    };
  }
}
