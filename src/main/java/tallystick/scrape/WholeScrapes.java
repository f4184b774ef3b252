package tallystick.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/**
 * Stored scrapes on their way to rows: none before all of it has arrived.
 *
 * <p>A Prometheus commits a scrape at once. What is written on to a store (remote write) travels in
 * shards, so a store may hold half of the newest scrape, and missing counters would look like an
 * engine that began anew. A scrape that lacks engine series of the one before is held back until
 * they arrive; it becomes a failed row if later scrapes have them again, and a row without them if
 * they stay away for {@link #PATIENCE_NANOS} of the store's own time or if the engine began anew.
 */
final class WholeScrapes {
  static final long PATIENCE_NANOS = 30_000_000_000L; // a store may hide as much

  private final int target;
  private Set<Series> expected = Set.of();
  private Map<Series, Double> births = Map.of();
  private long lastStarted = Long.MIN_VALUE;

  WholeScrapes(int target) {
    this.target = target;
  }

  /** Start of the newest row given; {@link Long#MIN_VALUE} before the first. */
  long lastStarted() {
    return lastStarted;
  }

  /** The rows that have become known, oldest first; each scrape is given once. */
  List<ScrapeRow> rows(SortedMap<Long, List<Sample>> scrapes) {
    List<ScrapeRow> rows = new ArrayList<>();
    SortedMap<Long, List<Sample>> left = scrapes;
    while (true) {
      left = lastStarted == Long.MIN_VALUE ? left : left.tailMap(lastStarted + 1);
      if (left.isEmpty()) {
        return rows;
      }
      ScrapeRow row = row(left);
      if (row == null) {
        return rows;
      }
      rows.add(row);
      lastStarted = row.startedNanos();
    }
  }

  /** The first of the scrapes as a row; null inside this class while it may not be whole. */
  private ScrapeRow row(SortedMap<Long, List<Sample>> scrapes) {
    long started = scrapes.firstKey();
    List<Sample> samples = scrapes.get(started);
    if (isDown(samples)) {
      return failed(started, "Prometheus could not scrape the target then (up is 0)");
    }
    Set<Series> missing = new HashSet<>(expected);
    samples.forEach(sample -> missing.remove(sample.series()));
    if (missing.isEmpty() || isNewProcess(samples)) {
      return whole(started, samples);
    }
    if (comeBack(missing, scrapes.tailMap(started + 1))) {
      return failed(
          started,
          missing.size() + " of " + expected.size() + " series of the engine were not stored then ("
              + missing.iterator().next().name() + ", …), but before and after");
    }
    boolean isPatient = scrapes.lastKey() - started < PATIENCE_NANOS;
    return isPatient ? null : whole(started, samples);
  }

  private ScrapeRow whole(long started, List<Sample> samples) {
    Set<Series> engines = new HashSet<>();
    Map<Series, Double> born = new HashMap<>();
    for (Sample sample : samples) {
      if (Observation.isEngines(sample.series().name())) {
        engines.add(sample.series());
      }
      if (isBirth(sample.series())) {
        born.put(sample.series(), sample.value());
      }
    }
    expected = engines;
    births = born;
    return new ScrapeRow(target, started, started, samples, "");
  }

  private ScrapeRow failed(long started, String error) {
    return new ScrapeRow(target, started, started, List.of(), error);
  }

  private static boolean isDown(List<Sample> samples) {
    return samples.stream()
        .anyMatch(sample -> sample.series().name().equals("up") && sample.value() == 0);
  }

  private boolean isNewProcess(List<Sample> samples) {
    return samples.stream()
        .anyMatch(
            sample -> {
              Double before = births.get(sample.series());
              return before != null && before != sample.value();
            });
  }

  private static boolean isBirth(Series series) {
    return series.name().endsWith("_created")
        || MetricVocabulary.standard().means(series.name(), MetricConcept.PROCESS_START_TIME);
  }

  private static boolean comeBack(Set<Series> missing, SortedMap<Long, List<Sample>> later) {
    return later.values().stream()
        .flatMap(List::stream)
        .anyMatch(sample -> missing.contains(sample.series()));
  }
}
