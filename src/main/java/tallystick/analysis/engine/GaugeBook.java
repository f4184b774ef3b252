package tallystick.analysis.engine;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import tallystick.analysis.result.GaugeRange;
import tallystick.runrecord.MetricConcept;

/**
 * Every known gauge over the window's scrapes: counts summed over engines and targets, ratios taken
 * of all engines.
 */
public final class GaugeBook {
  private static final Set<MetricConcept> RATIOS =
      EnumSet.of(
          MetricConcept.KV_CACHE_USAGE,
          MetricConcept.CPU_CACHE_USAGE,
          MetricConcept.PREFIX_HIT_RATE);

  /** Gauges whose value is a constant, a flag or a time. */
  private static final Set<MetricConcept> NOT_MEASURED =
      EnumSet.of(
          MetricConcept.CACHE_CONFIG, MetricConcept.LORA_REQUESTS, MetricConcept.SLEEP_STATE);

  private static final Set<MetricConcept> LOAD =
      EnumSet.of(MetricConcept.RUNNING, MetricConcept.WAITING);

  /** Scrapes further apart than this share of a target's own interval are of two moments. */
  private static final double ONE_MOMENT = 0.75;

  private final Map<String, GaugeStats> stats = new TreeMap<>();
  private final Map<SeriesTrack, String> keys = new HashMap<>();
  private final Set<String> loadGauges = new HashSet<>();
  private boolean isRunningShown;
  private final Map<Integer, Moment> round = new TreeMap<>();
  private final Map<Integer, Long> lastNanos = new HashMap<>();
  private final Map<Integer, Long> shortestNanos = new HashMap<>();
  private final LongUnaryOperator targetCount;
  private final long intervalNanos;

  private record Moment(long atNanos, Map<String, Double> sums) {}

  /**
   * An empty book.
   *
   * @param targetCount targets that together make a sum at a moment
   * @param intervalNanos time between two scrapes of a target, as planned
   */
  GaugeBook(LongUnaryOperator targetCount, long intervalNanos) {
    this.targetCount = targetCount;
    this.intervalNanos = intervalNanos;
  }

  /** Takes the newest scrape of a target. */
  void read(int targetIndex, long atNanos, TargetReading target) {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (SeriesTrack track : target.gauges()) {
      if (!isMeasured(track) || !target.uses(track) || !target.isCurrent(track)) {
        continue;
      }
      if (RATIOS.contains(track.concept().orElseThrow())) {
        stats(track.family()).add(track.value());
      } else {
        String key = keys.computeIfAbsent(track, GaugeBook::key);
        sums.merge(key, track.value(), Double::sum);
        if (LOAD.contains(track.concept().orElseThrow())) {
          loadGauges.add(key);
          isRunningShown |= track.means(MetricConcept.RUNNING);
        }
      }
    }
    addMoment(targetIndex, new Moment(atNanos, sums));
  }

  /** Ranges by family name; a reason label stands behind the name. */
  Map<String, GaugeRange> ranges() {
    Map<String, GaugeRange> ranges = new TreeMap<>();
    stats.forEach(
        (key, gauge) -> {
          if (!gauge.isEmpty()) {
            ranges.put(key, gauge.range());
          }
        });
    return ranges;
  }

  /**
   * Gauges of running and waiting requests, if none of them was ever above 0; else none. Nobody
   * need wait, so there are none either where no running ones are shown.
   */
  public List<String> stillAtZero() {
    List<String> counting = stats.keySet().stream().filter(loadGauges::contains).toList();
    boolean allZero = counting.stream().allMatch(key -> stats.get(key).isAlwaysZero());
    return allZero && isRunningShown ? counting : List.of();
  }

  /** A sum is one of all targets at one moment; where one of them is silent there is none. */
  private void addMoment(int targetIndex, Moment moment) {
    Long last = lastNanos.put(targetIndex, moment.atNanos());
    if (last != null) {
      shortestNanos.merge(targetIndex, moment.atNanos() - last, Math::min);
    }
    long spacing = Math.max(intervalNanos, shortestNanos.getOrDefault(targetIndex, intervalNanos));
    round.values().removeIf(other -> moment.atNanos() - other.atNanos() > ONE_MOMENT * spacing);
    round.put(targetIndex, moment);
    if (round.size() < targetCount.applyAsLong(moment.atNanos())) {
      return;
    }
    Map<String, Double> totals = new TreeMap<>();
    round.values()
        .forEach(one -> one.sums().forEach((key, sum) -> totals.merge(key, sum, Double::sum)));
    totals.forEach((key, sum) -> stats(key).add(sum));
    round.clear();
  }

  private GaugeStats stats(String key) {
    return stats.computeIfAbsent(key, any -> new GaugeStats());
  }

  private static boolean isMeasured(SeriesTrack track) {
    return track.concept().filter(concept -> !NOT_MEASURED.contains(concept)).isPresent();
  }

  private static String key(SeriesTrack track) {
    String reason = track.series().label("reason");
    return reason.isEmpty() ? track.family() : track.family() + "{reason=\"" + reason + "\"}";
  }
}
