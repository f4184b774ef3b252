package tallystick.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;

/**
 * One shard's record.
 *
 * @param folder that holds {@code record/}
 * @param shard which part
 * @param rows its rows
 * @param windowNanos origin of its window on its own clock, as its marks say, or as its wall clock
 *     does where they do not
 * @param hasWindow whether a mark says so
 */
record ShardRecord(
    Path folder, Shard shard, RecordReader rows, long windowNanos, boolean hasWindow) {
  private static final double NANOS = 1e9;

  /** A clock may be slewed this much between its reading and the window. */
  private static final double MOMENT_SECONDS = 0.25;

  private static final double CLOCK_STEP_SECONDS = 0.1;
  private static final double CLOCK_DRIFT = 5e-4;

  static ShardRecord open(Path folder) throws IOException, ShardsException {
    RecordFiles files = RecordFiles.ofRun(folder);
    if (!Files.exists(files.manifest())) {
      throw new ShardsException(
          folder + " has no manifest.json: copy the shard's record again from where it was made");
    }
    Shard shard =
        ShardJson.read(files.shard())
            .orElseThrow(
                () ->
                    new ShardsException(
                        folder + " holds a whole run, no shard: ./tally report " + folder));
    RecordReader rows = RecordReader.openPart(folder);
    if (!rows.unknowns().isEmpty()) {
      throw new ShardsException(folder + ": " + String.join("; ", rows.unknowns()));
    }
    List<Long> origins = new ArrayList<>();
    rows.eachHarness(
        row -> {
          if (row instanceof Mark mark && mark.kind() == Mark.Kind.WINDOW_ORIGIN) {
            origins.add(mark.atNanos());
          }
        });
    OptionalLong origin = origins.stream().mapToLong(at -> at).max();
    long byWall = shard.windowUtcNanos() - rows.manifest().clock().originUtcNanos();
    return new ShardRecord(folder, shard, rows, origin.orElse(byWall), origin.isPresent());
  }

  /**
   * The shards' folders among those given: each is one, or holds some.
   *
   * @throws ShardsException if one is neither, or is named twice
   */
  static List<Path> folders(List<Path> given) throws IOException, ShardsException {
    List<Path> found = new ArrayList<>();
    for (Path folder : given) {
      int before = found.size();
      if (Files.isDirectory(folder.resolve("record"))) {
        found.add(folder);
      } else if (Files.isDirectory(folder)) {
        try (Stream<Path> below = Files.list(folder)) {
          below
              .filter(one -> Files.exists(RecordFiles.ofRun(one).shard()))
              .sorted()
              .forEach(found::add);
        }
      }
      if (found.size() == before) {
        throw new ShardsException(
            Files.exists(folder)
                ? folder + " holds no shard's record"
                : "there is no folder " + folder);
      }
    }
    Set<Path> once = new LinkedHashSet<>();
    for (Path one : found) {
      if (!once.add(one.toAbsolutePath().normalize())) {
        throw new ShardsException(one + " is named again: name each shard once");
      }
    }
    return List.copyOf(once);
  }

  Manifest manifest() {
    return rows.manifest();
  }

  Path plan() {
    return RecordFiles.ofRun(folder).plan();
  }

  /** Why a run with this shard is no run of the plan; empty where nothing is wrong with it. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    Manifest.Ending ending = manifest().ending();
    if (ending.state() != Manifest.Ending.State.COMPLETED) {
      String why = ending.detail().isEmpty() ? "" : " (" + ending.detail() + ")";
      faults.add(
          shard.words() + " "
              + (ending.state() == Manifest.Ending.State.OPEN
                  ? "was killed before it closed its record"
                  : "did not reach its end" + why));
      return faults;
    }
    long ready = shard.startUtcNanos() - Shard.LEAD_NANOS;
    if (shard.readyUtcNanos() == 0 || shard.readyUtcNanos() > ready) {
      faults.add(shard.words() + " was not up before the start");
    }
    double late = (wall(windowNanos) - shard.windowUtcNanos()) / NANOS;
    if (!hasWindow || Math.abs(late) > MOMENT_SECONDS) {
      faults.add(
          hasWindow
              ? String.format(
                  Locale.ROOT, "%s began its window %+.3f s from the common moment",
                  shard.words(), late)
              : shard.words() + " does not say when its window began");
    }
    if (isClockStepped()) {
      faults.add("the wall clock of " + shard.words() + " was set during the run");
    }
    return faults;
  }

  private long wall(long nanos) {
    return manifest().clock().originUtcNanos() + nanos;
  }

  private boolean isClockStepped() {
    Manifest.Clock clock = manifest().clock();
    double wall = (clock.closedUtcNanos() - clock.originUtcNanos()) / NANOS;
    double monotonic = clock.closedNanos() / NANOS;
    return Math.abs(wall - monotonic) > CLOCK_STEP_SECONDS + CLOCK_DRIFT * monotonic;
  }
}
