package tallystick.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tallystick.experiment.regress.Comparability;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.KeptFigures;
import tallystick.experiment.regress.Regression;
import tallystick.runrecord.FilesBelow;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RunMoment;

/** Reads the runs below a folder into series of like ones. */
public final class HistoryReading {
  /** An experiment keeps its runs two folders deeper. */
  private static final int DEEPEST = 5;

  private static final int MOST_RUNS = 1_000; // nearly three years of nightly runs
  private static final Path MANIFEST = Path.of("record", "manifest.json");
  private static final String SETTING = "engine ";
  private static final Set<String> ALSO_SET = Set.of("model", "engine profile");

  /** What an engine found when it started, and nobody set. */
  private static final Set<String> FOUND =
      Set.of(
          "engine num_gpu_blocks", "engine num_cpu_blocks", "engine kv_cache_size_tokens",
          "engine kv_cache_max_concurrency", "engine kv_cache_memory_bytes");

  private final Path parent;
  private final List<ComparedMetric> metrics;
  private final List<History.LeftOut> leftOut = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final List<List<Read>> groups = new ArrayList<>();

  private record Read(String folder, String began, ComparedRun figures) {}

  private HistoryReading(Path parent, List<ComparedMetric> metrics) {
    this.parent = parent;
    this.metrics = metrics;
  }

  /**
   * The runs below a folder.
   *
   * @throws IOException if the folder cannot be read
   */
  public static History of(Path folder, List<ComparedMetric> metrics) throws IOException {
    return new HistoryReading(folder, metrics).read();
  }

  private History read() throws IOException {
    List<Read> runs = new ArrayList<>();
    List<Path> folders = folders();
    HowFar.ofRuns(folders.size());
    for (Path folder : folders) {
      read(folder).ifPresent(runs::add);
    }
    runs.sort(Comparator.comparing(Read::began).thenComparing(Read::folder));
    runs.forEach(this::place);
    groups.sort(Comparator.comparingInt((List<Read> group) -> group.size()).reversed());
    List<History.Series> series = new ArrayList<>();
    for (List<Read> group : groups) {
      series.add(series(series.size() + 1, group));
    }
    leftOut.sort(Comparator.comparing(History.LeftOut::folder));
    return new History(series, leftOut, Tracks.LEVEL);
  }

  private List<Path> folders() throws IOException {
    List<Path> latestFirst =
        FilesBelow.named(parent, DEEPEST, MANIFEST.toString()).stream()
            .map(file -> file.getParent().getParent())
            .sorted(Comparator.comparing(HistoryReading::moment).thenComparing(folder -> folder)
                .reversed())
            .toList();
    latestFirst.stream().skip(MOST_RUNS).forEach(
        folder -> leave(folder, "too many", "only the latest " + MOST_RUNS + " runs are read"));
    return latestFirst.stream().limit(MOST_RUNS).sorted().toList();
  }

  /** As its name tells, or else its file: thousands of records are not opened for that. */
  private static String moment(Path folder) {
    try {
      Instant written = Files.getLastModifiedTime(folder.resolve(MANIFEST)).toInstant();
      String name = String.valueOf(folder.toAbsolutePath().getFileName());
      return RunMoment.of(name, written.toString());
    } catch (IOException e) {
      return "";
    }
  }

  private String name(Path folder) {
    String name = parent.relativize(folder).toString();
    return name.isEmpty() ? String.valueOf(folder.toAbsolutePath().getFileName()) : name;
  }

  private void leave(Path folder, String why, String text) {
    leftOut.add(new History.LeftOut(name(folder), why, text));
  }

  private Optional<Read> read(Path folder) {
    ComparedRun figures;
    try {
      figures = KeptFigures.of(folder);
    } catch (IOException | UncheckedIOException e) {
      leave(folder, "unreadable", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    Optional<ComparedRun.Doubt> spoiled = figures.spoiledBy();
    if (spoiled.isPresent()) {
      leave(folder, spoiled.get().key(), spoiled.get().text());
      return Optional.empty();
    }
    for (ComparedMetric metric : metrics) {
      if (!figures.metrics().containsKey(metric)) {
        leave(
            folder, "without " + metric.words(),
            figures.missing().getOrDefault(metric, "not recorded"));
        return Optional.empty();
      }
    }
    if (!seen.add(figures.runId() + " " + figures.startedUtc() + " " + figures.metrics())) {
      leave(folder, "copied", figures.runId() + " once more");
      return Optional.empty();
    }
    String began = RunMoment.of(figures.runId(), figures.startedUtc());
    return Optional.of(new Read(name(folder), began, figures));
  }

  private void place(Read run) {
    for (List<Read> group : groups) {
      if (unlike(group, List.of(run)).isEmpty()) {
        group.add(run);
        return;
      }
    }
    groups.add(new ArrayList<>(List.of(run)));
  }

  private static List<ComparedRun> figures(List<Read> runs) {
    return runs.stream().map(Read::figures).toList();
  }

  private static List<Regression.Unlike> unlike(List<Read> here, List<Read> there) {
    List<Regression.Unlike> all =
        new ArrayList<>(Comparability.apart(figures(here), figures(there)));
    Map<String, String> before = here.getLast().figures().settings();
    Map<String, String> after = there.getFirst().figures().settings();
    // A release that does not tell a setting has not changed it.
    Set<String> names = new TreeSet<>(before.keySet());
    names.retainAll(after.keySet());
    for (String name : names) {
      boolean isSetting =
          ALSO_SET.contains(name) || name.startsWith(SETTING) && !FOUND.contains(name);
      if (isSetting && !before.get(name).equals(after.get(name))) {
        all.add(
            new Regression.Unlike(name, "base " + before.get(name) + ", candidate "
                + after.get(name)));
      }
    }
    return all;
  }

  private History.Series series(int number, List<Read> group) {
    Tracks tracks = new Tracks(figures(group), metrics.size());
    ComparedRun latest = group.getLast().figures();
    return new History.Series(
        number, latest.scenario(), latest.likeness().getOrDefault("engine kind", "unknown"),
        number == 1 ? List.of() : unlike(groups.getFirst(), group),
        group.stream().map(HistoryReading::run).toList(),
        metrics.stream().map(tracks::of).toList());
  }

  private static History.Run run(Read read) {
    return new History.Run(
        read.folder(), read.began(),
        read.figures().settings().getOrDefault("version engine", ""));
  }
}
