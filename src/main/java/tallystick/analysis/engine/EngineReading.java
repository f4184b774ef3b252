package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.TargetLifecycle;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ProcessCopies;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

/** All targets' scrapes, gathered in one pass. */
public final class EngineReading {
  /** Other words of failed scrapes are counted together. */
  private static final int MOST_WORDS = 8;

  private final MeasuredWindow window;
  private final long firstLimit;
  private final long lastLimit;
  private final TargetLifecycle moves;
  private final Map<Integer, TargetReading> targets = new TreeMap<>();
  private final Map<Integer, EngineColumns> columns = new TreeMap<>();
  private final ServedModels models;
  private final GaugeBook gauges;
  private final Map<Integer, long[]> goodNanos = new TreeMap<>();
  private final Map<Integer, Long> lastGood = new TreeMap<>();
  private final Map<Integer, List<Double>> stepSeconds = new TreeMap<>();
  private final OpenFailures failures;
  private final Map<Integer, List<Double>> loadSeconds = new TreeMap<>();
  private final int expectedTargets;
  private final ServerClock serverClock;
  private final Map<Integer, Long> lastStarted = new TreeMap<>();
  private final Map<Integer, ProcessCopies> copies = new TreeMap<>();
  private final Map<Integer, Long> repeated = new TreeMap<>();
  private long rows;
  private long outOfOrder;
  private long good;
  private long failed;
  private final Map<Integer, Long> failedAtEnd = new TreeMap<>();
  private final Map<String, Long> failureWords = new TreeMap<>();
  private long longestHoleNanos;

  /**
   * An empty reading.
   *
   * @param isRead which targets' scrapes it is given
   * @param moves which of them came and went
   */
  public EngineReading(
      MeasuredWindow window, Manifest manifest, long intervalNanos, Predicate<Target> isRead,
      TargetLifecycle moves) {
    this.window = window;
    this.moves = moves;
    this.serverClock = new ServerClock(manifest.clock().originUtcNanos());
    this.models = ServedModels.of(manifest.model());
    this.firstLimit = window.quietBefore().orElse(window.originNanos());
    this.lastLimit = window.quietAfter().orElse(Long.MAX_VALUE);
    this.failures = new OpenFailures(stores(manifest.targets()));
    int[] read =
        IntStream.range(0, manifest.targets().size())
            .filter(index -> isRead.test(manifest.targets().get(index)))
            .filter(index -> !manifest.targets().get(index).metricsUrl().isEmpty())
            .toArray();
    this.expectedTargets = read.length;
    this.gauges =
        new GaugeBook(
            at ->
                Math.max(
                    1, Arrays.stream(read).filter(index -> moves.isPresent(index, at)).count()),
            intervalNanos);
  }

  /** Takes the next scrape, of any target. */
  public void read(ScrapeRow row) {
    rows++;
    if (row.isGood() && !isLater(row)) {
      outOfOrder++;
      return;
    }
    serverClock.read(row);
    if (row.isGood()) {
      repeated.merge(row.target(), row.repeated() > 0 ? 1L : 0L, Long::sum);
      List<ScrapeRow> holes = failures.holesBefore(row);
      // Who has just come may not be up yet.
      if (!moves.joined(row.target()) || lastGood.containsKey(row.target())) {
        holes.forEach(this::place);
      }
      place(row.with(
          copies
              .computeIfAbsent(row.target(), any -> new ProcessCopies())
              .live(row.samples())));
    } else {
      failures.add(row);
    }
  }

  /** Ends the reading: what failed last stays failed, but for a target that left. */
  public void end() {
    failures.rest().stream()
        .filter(row -> moves.leftNanos(row.target()).isEmpty())
        .forEach(this::place);
    targets.forEach((index, target) -> columns.get(index).forget(target));
    columns.forEach(
        (target, table) ->
            moves.leftNanos(target).ifPresent(at -> table.end(window.secondsAfterOrigin(at))));
  }

  private static Set<Integer> stores(List<Target> targets) {
    return IntStream.range(0, targets.size())
        .filter(index -> targets.get(index).isReadFromStore())
        .boxed()
        .collect(Collectors.toSet());
  }

  private void place(ScrapeRow row) {
    if (row.isGood() && row.startedNanos() <= lastLimit) {
      goodNanos.computeIfAbsent(row.target(), any -> new long[] {row.startedNanos(), 0})[1] =
          row.startedNanos();
    }
    countIfUnderLoad(row);
    if (row.startedNanos() > lastLimit) {
      return;
    }
    TargetReading target = targets.computeIfAbsent(row.target(), any -> new TargetReading(models));
    EngineColumns table =
        columns.computeIfAbsent(row.target(), index -> new EngineColumns(index, expectedTargets));
    double at = window.secondsAfterOrigin(row.startedNanos());
    if (!row.isGood()) {
      table.hole(at);
      return;
    }
    if (row.startedNanos() <= firstLimit) {
      target.couldBeFirst(row);
      table.couldBeFirst(at);
      return;
    }
    if (moves.joined(row.target())) {
      FirstScrape.countedFrom(row, target, firstLimit)
          .ifPresent(
              before -> {
                target.couldBeFirst(before);
                table.couldBeFirst(at);
              });
    }
    target.read(row);
    table.read(at, target);
    if (window.isUnderLoad(row.startedNanos())) {
      if (moves.isPresent(row.target(), row.startedNanos())) {
        gauges.read(row.target(), row.startedNanos(), target);
      }
      loadSeconds.computeIfAbsent(row.target(), any -> new ArrayList<>()).add(at);
    }
  }

  /** A failure stands at the time of asking, which may be later than what comes after it. */
  private boolean isLater(ScrapeRow good) {
    Long newest = lastStarted.get(good.target());
    boolean isLater = newest == null || good.startedNanos() > newest;
    if (isLater) {
      if (newest != null) {
        stepSeconds
            .computeIfAbsent(good.target(), any -> new ArrayList<>())
            .add((good.startedNanos() - newest) / 1e9);
      }
      lastStarted.put(good.target(), good.startedNanos());
    }
    return isLater;
  }

  /** Whether there was any scrape at all. */
  boolean hasRows() {
    return rows > 0;
  }

  /** Scrapes of any kind. */
  public long rows() {
    return rows;
  }

  /** Times of a target's first and last good scrape of the window; empty before the first. */
  public Optional<long[]> goodNanos(int target) {
    return Optional.ofNullable(goodNanos.get(target));
  }

  /** Targets that have two scrapes to subtract, by index. */
  public Map<Integer, TargetReading> targets() {
    Map<Integer, TargetReading> ready = new TreeMap<>(targets);
    ready.values().removeIf(target -> !target.hasDelta());
    return Collections.unmodifiableMap(ready);
  }

  /** The models that the scrapes tell of. */
  ServedModels models() {
    return models;
  }

  /** Targets that should have been scraped. */
  int expectedTargets() {
    return expectedTargets;
  }

  /** One table per target, by index. */
  Map<Integer, EngineColumns> columns() {
    return Collections.unmodifiableMap(columns);
  }

  /** One engine of a target: its name among all of the run, and its figures per scrape. */
  record Engine(int target, String name, ScrapeColumns table) {}

  /** All engines, target by target. */
  List<Engine> engines() {
    List<Engine> engines = new ArrayList<>();
    columns.forEach(
        (target, of) ->
            of.byOwner().forEach((name, table) -> engines.add(new Engine(target, name, table))));
    return engines;
  }

  /** Times of one target's good scrapes under load; the grid of everything over time. */
  public double[] loadSeconds() {
    return loadSeconds.entrySet().stream()
        .filter(entry -> !moves.has(entry.getKey()))
        .findFirst()
        .or(this::longest)
        .map(Map.Entry::getValue)
        .map(times -> times.stream().mapToDouble(Double::doubleValue).toArray())
        .orElse(new double[0]);
  }

  private Optional<Map.Entry<Integer, List<Double>>> longest() {
    return loadSeconds.entrySet().stream().max(Comparator.comparing(e -> e.getValue().size()));
  }

  /** Times of good scrapes under load in seconds after the window's origin, by target. */
  public Map<Integer, double[]> secondsUnderLoad() {
    Map<Integer, double[]> seconds = new TreeMap<>();
    loadSeconds.forEach(
        (target, times) ->
            seconds.put(target, times.stream().mapToDouble(Double::doubleValue).toArray()));
    return seconds;
  }

  public GaugeBook gauges() {
    return gauges;
  }

  long goodScrapes() {
    return good;
  }

  public long failedScrapes() {
    return failed;
  }

  /** Why scrapes under load failed, the most frequent first, a line each. */
  List<String> failureWords() {
    return failureWords.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> entry.getValue() + " times: " + entry.getKey())
        .toList();
  }

  /** Whether some target answered no scrape after one that failed. */
  boolean isOpenAtEnd() {
    return !failedAtEnd.isEmpty();
  }

  /** Scrapes of a target under load that failed after its last good one. */
  public long failedAtEnd(int target) {
    return failedAtEnd.getOrDefault(target, 0L);
  }

  /** Scrapes that are not later than one read before; they are left out. */
  long outOfOrder() {
    return outOfOrder;
  }

  /** Which of the copies that processes of one engine show were taken, by target, a line each. */
  Map<Integer, List<String>> processCopies() {
    Map<Integer, List<String>> words = new TreeMap<>();
    copies.forEach((target, one) -> words.put(target, one.words()));
    words.values().removeIf(List::isEmpty);
    return words;
  }

  /** Good scrapes of each target in which some series stood more than once. */
  Map<Integer, Long> repeated() {
    Map<Integer, Long> some = new TreeMap<>(repeated);
    some.values().removeIf(scrapes -> scrapes == 0);
    return some;
  }

  /** What the servers' own clocks showed. */
  ServerClock serverClock() {
    return serverClock;
  }

  /** Longest time under load without a good scrape of some target. */
  double longestHoleSeconds() {
    return longestHoleNanos / 1e9;
  }

  /** Usual time between two good scrapes of a target, their median; NaN before two of them. */
  public double stepSeconds(int target) {
    double[] steps =
        stepSeconds.getOrDefault(target, List.of()).stream()
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return steps.length == 0 ? Double.NaN : steps[steps.length / 2];
  }

  private void countIfUnderLoad(ScrapeRow row) {
    if (row.isGood()) {
      failedAtEnd.remove(row.target());
    }
    if (!window.isUnderLoad(row.startedNanos())) {
      return;
    }
    Long previous = lastGood.get(row.target());
    if (previous != null) {
      longestHoleNanos = Math.max(longestHoleNanos, row.startedNanos() - previous);
    }
    if (row.isGood()) {
      good++;
      lastGood.put(row.target(), row.startedNanos());
    } else {
      failed++;
      failedAtEnd.merge(row.target(), 1L, Long::sum);
      boolean isTold = failureWords.containsKey(row.error()) || failureWords.size() < MOST_WORDS;
      failureWords.merge(isTold ? row.error() : "other", 1L, Long::sum);
    }
  }
}
