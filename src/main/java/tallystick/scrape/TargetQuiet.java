package tallystick.scrape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.ProcessCopies;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Formatted;

/** How long one target's counters have stood still. */
final class TargetQuiet {
  private static final int NAMED = 4; // as many as a sentence bears
  private static final double NANOS_PER_SECOND = 1e9;

  /** Twice the pace at which an engine itself is asked. */
  private static final double SLOW_SECONDS = 2;

  private final MetricVocabulary vocabulary = MetricVocabulary.standard();
  private final ProcessCopies copies = new ProcessCopies();
  private Map<Series, Double> counters = Map.of();
  private Map<Series, Double> seen = Map.of();
  private long seenNanos;
  private int identical;
  private int failures;
  private long failingSinceNanos;
  private long failingNanos;
  private long stillSinceNanos;
  private long lastNanos;
  private double running;
  private double waiting;
  private String moved = "";
  private String fallen = "";
  private double stepSeconds;
  private String error = "";

  /**
   * Looks at a scrape that does not count, because others asked for it: between two of our own
   * that are alike, a balancer may have shown them another replica.
   */
  void glance(ScrapeRow row) {
    if (row.isGood()) {
      noteFall(row, countersOf(row));
    }
  }

  /** Takes the next scrape. */
  void observe(ScrapeRow row) {
    if (!row.isGood()) {
      identical = 0;
      failingSinceNanos = failures == 0 ? row.startedNanos() : failingSinceNanos;
      failingNanos = row.startedNanos() - failingSinceNanos;
      failures++;
      error = row.error();
      return;
    }
    failures = 0;
    if (row.startedNanos() == lastNanos && identical > 0) {
      // A source of its own pace shows its newest scrape again until it has taken another.
      return;
    }
    Map<Series, Double> now = countersOf(row);
    noteFall(row, now);
    stepSeconds = lastNanos == 0 ? 0 : (row.startedNanos() - lastNanos) / NANOS_PER_SECOND;
    if (identical > 0 && now.equals(counters)) {
      identical++;
    } else {
      moved = identical > 0 ? difference(now, row.startedNanos()) : moved;
      identical = 1;
      stillSinceNanos = row.startedNanos();
    }
    counters = now;
    lastNanos = row.startedNanos();
    List<Sample> live = copies.live(row.samples());
    running = sum(live, MetricConcept.RUNNING);
    waiting = sum(live, MetricConcept.WAITING);
  }

  /** Scrapes in a row whose counters were all the same. */
  int identical() {
    return identical;
  }

  int failures() {
    return failures;
  }

  /** From the first to the last of the scrapes that failed in a row. */
  long failingNanos() {
    return failingNanos;
  }

  /** From the first to the last of the identical scrapes. */
  long stillNanos() {
    return lastNanos - stillSinceNanos;
  }

  long lastNanos() {
    return lastNanos;
  }

  boolean isIdle() {
    return running == 0 && waiting == 0;
  }

  /** What keeps the target from being quiet; empty if nothing does. */
  Optional<String> unrest(int needed) {
    if (failures > 0) {
      return Optional.of("scrape failed: " + error);
    }
    String gauges = Formatted.of("running %.0f, waiting %.0f", running, waiting);
    if (identical < needed && !fallen.isEmpty()) {
      return Optional.of(
          fallen + " went backwards: its scrapes come from several replicas behind a load balancer"
              + " (name each as a target, with its own metrics_url), or it restarts");
    }
    if (identical < needed) {
      return Optional.of((moved.isEmpty() ? tooFew() : moved) + ", " + gauges);
    }
    return isIdle() ? Optional.empty() : Optional.of(gauges);
  }

  /**
   * A counter that falls begins the count of equal scrapes anew. Scrapes that overlap, or come in
   * another order than they were taken, tell no fall.
   */
  private void noteFall(ScrapeRow row, Map<Series, Double> now) {
    if (row.startedNanos() < seenNanos) {
      return;
    }
    seenNanos = row.endedNanos();
    for (Map.Entry<Series, Double> counter : now.entrySet()) {
      Double before = seen.get(counter.getKey());
      if (before != null && counter.getValue() < before) {
        fallen = counter.getKey().name();
        identical = 0;
        break;
      }
    }
    seen = now;
  }

  /** A source of its own pace may be too slow for the time there is. */
  private String tooFew() {
    return stepSeconds <= SLOW_SECONDS
        ? "too few scrapes"
        : Formatted.of(
            "too few scrapes (one comes every %.1f s, so --quiet-timeout must be longer)",
            stepSeconds);
  }

  private String difference(Map<Series, Double> now, long nowNanos) {
    Map<String, Double> growth = new LinkedHashMap<>();
    now.forEach(
        (series, value) -> {
          double step = value - counters.getOrDefault(series, 0.0);
          if (step != 0) {
            growth.merge(series.name(), step, Double::sum);
          }
        });
    if (growth.isEmpty()) {
      return "the set of series changed";
    }
    String named =
        growth.entrySet().stream()
            .limit(NAMED)
            .map(entry -> Formatted.of("%s %+g", entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    String more = growth.size() > NAMED ? " and " + (growth.size() - NAMED) + " more" : "";
    double seconds = (nowNanos - lastNanos) / NANOS_PER_SECOND;
    return Formatted.of("%s%s in %.1f s", named, more, seconds);
  }

  private static Map<Series, Double> countersOf(ScrapeRow row) {
    Map<Series, Double> counters = new LinkedHashMap<>();
    for (Sample sample : row.samples()) {
      if (isEngineCounter(sample.series()) && canCount(sample)) {
        counters.put(sample.series(), sample.value());
      }
    }
    return counters;
  }

  private static boolean canCount(Sample sample) {
    return Double.isFinite(sample.value()) && sample.value() >= 0;
  }

  /** Times of birth too: replicas that have done nothing yet differ in nothing else. */
  private static boolean isEngineCounter(Series series) {
    String name = series.name();
    return Observation.isEngines(name)
        && (name.endsWith("_created")
            || series.type() == Series.Type.COUNTER
            || series.type() != Series.Type.GAUGE
                && List.of("_total", "_count", "_sum").stream().anyMatch(name::endsWith));
  }

  /** Over all engines; 0 where the target shows no such gauge, as Dynamo before its first work. */
  private double sum(List<Sample> samples, MetricConcept concept) {
    double sum = 0;
    for (Sample sample : samples) {
      // A number that no gauge of requests can have says nothing of them.
      if (vocabulary.means(sample.series().name(), concept) && canCount(sample)) {
        sum += sample.value();
      }
    }
    return sum;
  }
}
