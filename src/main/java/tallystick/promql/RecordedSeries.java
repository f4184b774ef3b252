package tallystick.promql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;

/**
 * The scrapes of a run as the series a Prometheus with the same targets would have stored. Time is
 * milliseconds after the run's origin. A failed scrape and a vanished series leave staleness
 * markers, as Prometheus does; every scrape adds a sample of {@code up}.
 */
public final class RecordedSeries {
  private static final String JOB = "vllm";
  private static final long NANOS = 1_000_000;

  private final SeriesStore store = new SeriesStore();
  private final RunRows rows;
  private final long intervalMillis;
  private final Map<String, String> external;
  private final Map<Integer, TargetState> targets = new HashMap<>();

  private RecordedSeries(RunRows rows, long intervalMillis, Map<String, String> external) {
    this.rows = rows;
    this.intervalMillis = intervalMillis;
    this.external = external;
  }

  /**
   * The series of a run.
   *
   * @param intervalMillis time between scrapes of the Prometheus in question, scrapes in between
   *     are left out; 0 takes all of them
   * @param external labels to add to every series, for example the cluster; they name the job too
   */
  public static SeriesStore of(RunRows rows, long intervalMillis, Map<String, String> external) {
    RecordedSeries recorded = new RecordedSeries(rows, intervalMillis, external);
    rows.eachScrape(recorded::add);
    return recorded.store;
  }

  private static final class TargetState {
    private final Map<Series, Labels> labels = new HashMap<>();
    private Set<Labels> present = new HashSet<>();
    private long nextMillis = Long.MIN_VALUE;
    private long lastMillis = Long.MIN_VALUE;
  }

  private void add(ScrapeRow scrape) {
    if (isOfPrefill(scrape.target())) {
      // A job of its own: a percentile over both pools is of no request.
      return;
    }
    TargetState state = targets.computeIfAbsent(scrape.target(), any -> new TargetState());
    long at = Math.floorDiv(scrape.startedNanos(), NANOS);
    if (at < state.nextMillis || at <= state.lastMillis) {
      return;
    }
    state.lastMillis = at;
    if (intervalMillis > 0) {
      // The grid begins with the first scrape; one that comes late does not shift it.
      long grid = state.nextMillis == Long.MIN_VALUE ? at : state.nextMillis;
      state.nextMillis = grid + ((at - grid) / intervalMillis + 1) * intervalMillis;
    }
    Set<Labels> now = new HashSet<>();
    for (Sample sample : scrape.samples()) {
      Labels labels =
          state.labels.computeIfAbsent(
              sample.series(), series -> labels(series.name(), series.labels(), scrape.target()));
      if (now.add(labels)) {
        store.append(labels, at, sample.value());
      }
    }
    for (Labels gone : state.present) {
      if (!now.contains(gone)) {
        store.append(gone, at, StoredSeries.STALE);
      }
    }
    state.present = now;
    store.append(labels("up", Map.of(), scrape.target()), at, scrape.isGood() ? 1 : 0);
  }

  private boolean isOfPrefill(int target) {
    List<Target> known = rows.manifest().targets();
    return target < known.size() && known.get(target).onlyPrefills();
  }

  private Labels labels(String name, Map<String, String> own, int target) {
    Map<String, String> labels = new HashMap<>(Map.of("job", JOB));
    labels.putAll(external);
    labels.put("instance", instance(target));
    labels.putAll(own);
    return Labels.of(name, labels);
  }

  private String instance(int target) {
    if (target >= rows.manifest().targets().size()) {
      return "target-" + target;
    }
    Target known = rows.manifest().targets().get(target);
    return known.url().replaceFirst("^https?://", "");
  }
}
