package tallystick.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.plan.ShardPlan;
import tallystick.runrecord.ClockBracket;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;
import tallystick.scenario.ScenarioReader;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * A run in virtual time, and the records that its shards would have left: each holds its own
 * requests on a clock of its own. So a merge has a known right answer.
 */
final class SplitRun {
  private static final long SECOND = 1_000_000_000L;

  private final Path folder;
  private final Plan plan;
  private final int count;
  private final RecordReader whole;
  private final long windowNanos;
  private long scrapesLater;
  private boolean isFirstLast;
  private boolean isUnscraped;

  /** Plays a scenario's text below a folder; it is to be split later. */
  SplitRun(Path folder, String scenario, int count) throws IOException, InterruptedException {
    this.folder = folder;
    this.count = count;
    Path file = folder.resolve("scenario.yaml");
    Files.createDirectories(folder);
    Files.writeString(file, scenario);
    var read = ScenarioReader.read(file, java.util.List.of(), java.util.List.of());
    this.plan = Planner.plan(read, read.seed());
    new VirtualRecord(
            plan, EngineSettings.defaults(), new VirtualWorld.Shape(100_000, 0, 0, 0, 0), "test")
        .write(RecordFiles.ofRun(wholeFolder()));
    this.whole = RecordReader.open(wholeFolder());
    long[] window = new long[1];
    whole.eachHarness(
        row -> window[0] = row instanceof Mark mark && mark.kind() == Mark.Kind.WINDOW_ORIGIN
            ? mark.atNanos() : window[0]);
    this.windowNanos = window[0];
  }

  /** From here on the engine's scrapes stand so much later beside the requests of all shards. */
  SplitRun scrapesLater(long nanos) {
    scrapesLater = nanos;
    return this;
  }

  /** The first shard was started last. */
  SplitRun firstStartedLast() {
    isFirstLast = true;
    return this;
  }

  /** Nobody reads the engine's metrics, so each shard is done with its own last request. */
  SplitRun unscraped() {
    isUnscraped = true;
    return this;
  }

  Path wholeFolder() {
    return folder.resolve("whole");
  }

  Path shardFolder(int index) {
    return folder.resolve("shards").resolve("shard-" + index);
  }

  Path shards() {
    return folder.resolve("shards");
  }

  RecordFiles files(int index) {
    return RecordFiles.ofRun(shardFolder(index));
  }

  /**
   * Writes every shard's record; the later shards were started later and have other clocks, but all
   * of them before their first request.
   */
  SplitRun split() throws IOException, InterruptedException {
    long[] first = {Long.MAX_VALUE};
    whole.eachRequest(row -> first[0] = Math.min(first[0], row.times().intended()));
    for (int index = 0; index < count; index++) {
      int before = isFirstLast ? count - 1 - index : index;
      split(index, before * first[0] / count);
    }
    return this;
  }

  /** What stands of a shard beside its rows. */
  Shard shard(int index) {
    long window = whole.manifest().clock().originUtcNanos() + windowNanos;
    return new Shard(index, count, window, window, 0, ClockBracket.UNKNOWN)
        .ready(window - 9 * SECOND, new ClockBracket(-0.01, 0.02, 40));
  }

  private void split(int index, long startedLater) throws IOException, InterruptedException {
    RecordFiles files = files(index);
    Files.createDirectories(files.folder());
    Files.copy(RecordFiles.ofRun(wholeFolder()).plan(), files.plan());
    ShardJson.write(shard(index), files.shard());
    Manifest like = whole.manifest();
    long[] now = new long[1];
    RunClock clock =
        RunClock.virtual(like.clock().originUtcNanos() + startedLater, () -> now[0]);
    RecordWriter writer =
        RecordWriter.open(
            files, like.closed(new Manifest.Clock(0, 0, 0), Manifest.Ending.OPEN), clock);
    ShardPlan shards = new ShardPlan(plan, count);
    long[] end = new long[1];
    whole.eachRequest(
        row -> {
          if (shards.isOf(index, row.index())) {
            writer.offer(row.shifted(-startedLater));
            end[0] = Math.max(end[0], row.times().ended() - startedLater);
          }
        });
    whole.eachHarness(row -> offer(writer, row, index, startedLater));
    if (isUnscraped) {
      writer.offer(new Mark(end[0], Mark.Kind.QUIET_AFTER_WINDOW, ""));
    } else if (index == 0) {
      whole.eachScrape(row -> writer.offer(row.shifted(scrapesLater - startedLater)));
    }
    now[0] = like.clock().closedNanos() - startedLater;
    writer.close(Manifest.Ending.State.COMPLETED, "");
  }

  /** Only the first shard has scrapes, so only it knows when the engine was quiet. */
  private void offer(RecordWriter writer, HarnessRow row, int index, long startedLater) {
    boolean isCommon =
        row instanceof Mark mark
            && (mark.kind() == Mark.Kind.WINDOW_ORIGIN
                || mark.kind() == Mark.Kind.WINDOW_DRAINED);
    if (index == 0 && !isUnscraped || isCommon) {
      writer.offer(row.shifted(-startedLater));
    }
  }

  /** As a shard leaves its manifest that is killed: nobody has closed it. */
  void kill(int index) throws IOException {
    Manifest manifest = ManifestJson.read(files(index).manifest());
    Manifest.Clock open = new Manifest.Clock(manifest.clock().originUtcNanos(), 0, 0);
    ManifestJson.write(
        manifest.closed(open, Manifest.Ending.OPEN).with(PromptForm.UNKNOWN),
        files(index).manifest());
  }

  /** Writes a shard's manifest anew. */
  void end(int index, Manifest.Ending.State state, String detail) throws IOException {
    Manifest manifest = ManifestJson.read(files(index).manifest());
    Manifest.Ending ending = manifest.ending();
    ManifestJson.write(
        manifest.closed(
            manifest.clock(),
            new Manifest.Ending(
                state, detail, ending.requestRows(), ending.scrapeRows(), ending.harnessRows(),
                ending.droppedRows())),
        files(index).manifest());
  }
}
