package tallystick.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import tallystick.plan.ShardPlan;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RowCursor;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;

/**
 * Writes the record of a run from its shards', row by row. The origins of their windows, which are
 * one moment by agreement, are laid on each other; so every intended start is the plan's to the
 * nanosecond, and no difference between two moments of one request changes.
 */
public final class Merge {
  private static final int MOST_FAULTS = 6;

  private final ShardSet set;
  private final ShardRecord first;
  private final long windowNanos;
  private final List<String> faults;
  private final TreeMap<Integer, long[]> foreign = new TreeMap<>();
  private long countedNanos = Long.MAX_VALUE;
  private int drained;

  /** A merge of shards. */
  public Merge(ShardSet set) {
    this.set = set;
    this.first = set.records().get(0);
    this.windowNanos =
        set.records().stream().mapToLong(ShardRecord::windowNanos).max().orElseThrow();
    this.faults = new ArrayList<>(set.faults());
  }

  /** A row to come, and whose it is. */
  private record Head<T>(ShardRecord shard, RowCursor<T> rows, long shift) {}

  /** What is done with the next row. */
  private interface Taker<T> {
    void take(ShardRecord shard, T row) throws InterruptedException;
  }

  /**
   * Writes the record.
   *
   * @return why the merged run is no run of its plan; empty where it is
   * @throws IOException if a record cannot be read or written
   */
  public List<String> write(Path runFolder) throws IOException, InterruptedException {
    RecordFiles files = RecordFiles.ofRun(runFolder);
    Files.createDirectories(files.folder());
    Files.copy(first.plan(), files.plan());
    long origin = first.manifest().clock().originUtcNanos() - shift(first);
    long closed = closedNanos(first);
    RunClock clock = RunClock.virtual(origin, () -> 0);
    RecordWriter writer = RecordWriter.open(files, manifest(origin, closed), clock);
    try {
      mergeNotes(writer);
      mergeRequests(writer);
      copyScrapes(writer);
    } finally {
      writer.close(Manifest.Ending.State.FAILED, "the merge was broken off");
    }
    addLeft();
    Manifest written = ManifestJson.read(files.manifest());
    Manifest.Ending ending = ending(written.ending().harnessRows());
    ManifestJson.write(written.closed(manifestClock(origin, closed), ending), files.manifest());
    return List.copyOf(faults);
  }

  /** On the merged run's clock; 0 where nobody closed the record. */
  private long closedNanos(ShardRecord shard) {
    long own = shard.manifest().clock().closedNanos();
    return own > 0 ? own + shift(shard) : 0;
  }

  private long shift(ShardRecord shard) {
    return windowNanos - shard.windowNanos();
  }

  private Manifest manifest(long originUtcNanos, long closedNanos) {
    Manifest like = first.manifest();
    Map<String, String> host = new HashMap<>(like.host());
    host.put("shards", Integer.toString(first.shard().count()));
    for (ShardRecord shard : set.records()) {
      String name = shard.manifest().host().getOrDefault("name", "unknown");
      host.put("shard_" + shard.shard().index(), name);
    }
    return new Manifest(
        Manifest.CURRENT_FORMAT, like.runId(), like.scenario(), like.source(), like.seed(),
        like.nonce(), like.model(), like.targets(), like.labels(), like.versions(), host,
        manifestClock(originUtcNanos, closedNanos), Manifest.Ending.OPEN, like.prompts());
  }

  private Manifest.Clock manifestClock(long originUtcNanos, long closedNanos) {
    return new Manifest.Clock(
        originUtcNanos, first.manifest().clock().closedUtcNanos(), closedNanos);
  }

  private Manifest.Ending ending(long harnessRows) {
    long requests = 0;
    long dropped = 0;
    for (ShardRecord shard : set.records()) {
      requests += shard.manifest().ending().requestRows();
      dropped += shard.manifest().ending().droppedRows();
    }
    int shown = Math.min(MOST_FAULTS, faults.size());
    String rest = faults.size() > shown ? "; and " + (faults.size() - shown) + " more" : "";
    return new Manifest.Ending(
        faults.isEmpty() ? Manifest.Ending.State.COMPLETED : Manifest.Ending.State.FAILED,
        String.join("; ", faults.subList(0, shown)) + rest,
        requests,
        first.manifest().ending().scrapeRows(),
        harnessRows,
        dropped);
  }

  /** The steps are the first shard's, the window is drained with the last shard's. */
  private void mergeNotes(RecordWriter writer) throws IOException, InterruptedException {
    Map<ShardRecord, HarnessRow.Progress> progress = new HashMap<>();
    List<Head<HarnessRow>> heads = new ArrayList<>();
    for (ShardRecord shard : set.records()) {
      heads.add(new Head<>(shard, shard.rows().harnessCursor(), shift(shard)));
    }
    inOrder(
        heads,
        HarnessRow::atNanos,
        (shard, row) -> {
          HarnessRow shifted = row.shifted(shift(shard));
          if (row instanceof HarnessRow.Progress now) {
            progress.put(shard, now);
            writer.offer(sum(shifted.atNanos(), progress));
          } else if (!(shifted instanceof Mark mark) || isKept(shard, mark)) {
            writer.offer(shifted);
          }
          writer.awaitRoom();
        });
  }

  private boolean isKept(ShardRecord shard, Mark mark) {
    if (mark.kind() == Mark.Kind.WINDOW_DRAINED) {
      drained++;
      return drained == set.records().size();
    }
    if (mark.kind() == Mark.Kind.QUIET_AFTER_WINDOW && shard == first && isEngineCounted()) {
      countedNanos = mark.atNanos();
    }
    return shard == first || mark.kind() == Mark.Kind.STOPPED;
  }

  /** Without its metrics nobody counts an engine, and nobody waits for the other shards. */
  private boolean isEngineCounted() {
    return first.shard().scrapes() && first.manifest().ending().scrapeRows() > 0;
  }

  private static HarnessRow sum(long atNanos, Map<ShardRecord, HarnessRow.Progress> all) {
    long[] sums = new long[4];
    for (HarnessRow.Progress one : all.values()) {
      sums[0] += one.sent();
      sums[1] += one.inFlight();
      sums[2] += one.ok();
      sums[3] += one.failed();
    }
    return new HarnessRow.Progress(atNanos, sums[0], sums[1], sums[2], sums[3]);
  }

  private void mergeRequests(RecordWriter writer) throws IOException, InterruptedException {
    ShardPlan plan = new ShardPlan(PlanJson.read(first.plan()), first.shard().count());
    Map<ShardRecord, Long> ends = new HashMap<>();
    List<Head<RequestRow>> heads = new ArrayList<>();
    for (ShardRecord shard : set.records()) {
      heads.add(new Head<>(shard, shard.rows().requestCursor(), shift(shard)));
    }
    inOrder(
        heads,
        row -> row.times().ended(),
        (shard, row) -> {
          if (!plan.isOf(shard.shard().index(), row.index())) {
            foreign.computeIfAbsent(shard.shard().index(), any -> new long[] {0, row.index()})[0]++;
            return;
          }
          RequestRow shifted = row.shifted(shift(shard));
          ends.merge(shard, shifted.times().ended(), Math::max);
          writer.offer(shifted);
          writer.awaitRoom();
        });
    for (ShardRecord shard : set.records()) {
      if (ends.getOrDefault(shard, Long.MIN_VALUE) > countedNanos) {
        faults.add(
            shard.shard().words() + " still had requests when the engine was counted"
                + (first.faults().isEmpty()
                    ? ": give the first shard a longer --quiet-timeout"
                    : ""));
      }
    }
  }

  private void copyScrapes(RecordWriter writer) throws InterruptedException {
    if (!first.shard().scrapes()) {
      return;
    }
    first.rows().eachScrape(row -> offer(writer, row));
    first.rows().eachExporterScrape(row -> writer.offerExporter(row.shifted(shift(first))));
    for (ShardRecord shard : set.records()) {
      shard.rows().eachSpan(writer::offer);
      writer.awaitRoom();
    }
  }

  private void offer(RecordWriter writer, ScrapeRow row) {
    writer.offer(row.shifted(shift(first)));
    try {
      writer.awaitRoom();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was left out. */
  private void addLeft() {
    foreign.forEach(
        (shard, rows) ->
            faults.add(
                "shard " + shard + " holds " + rows[0] + " requests that are not its own, the first"
                    + " of them " + rows[1] + "; they are left out"));
    for (ShardRecord shard : set.records()) {
      Stream.concat(shard.rows().changes().stream(), shard.rows().faults().stream())
          .forEach(fault -> faults.add(shard.shard().words() + ": " + fault));
    }
  }

  /** Hands over the rows of all shards in the order of a moment each has. */
  private static <T> void inOrder(List<Head<T>> heads, ToLongFunction<T> moment, Taker<T> taker)
      throws IOException, InterruptedException {
    try {
      for (Optional<Head<T>> next = earliest(heads, moment);
          next.isPresent();
          next = earliest(heads, moment)) {
        T row = next.get().rows().peek().orElseThrow();
        next.get().rows().advance();
        taker.take(next.get().shard(), row);
      }
    } finally {
      for (Head<T> head : heads) {
        head.rows().close();
      }
    }
  }

  private static <T> Optional<Head<T>> earliest(List<Head<T>> heads, ToLongFunction<T> moment)
      throws IOException {
    Head<T> earliest = null;
    long least = Long.MAX_VALUE;
    for (Head<T> head : heads) {
      Optional<T> row = head.rows().peek();
      if (row.isPresent() && moment.applyAsLong(row.get()) + head.shift() < least) {
        least = moment.applyAsLong(row.get()) + head.shift();
        earliest = head;
      }
    }
    return Optional.ofNullable(earliest);
  }
}
