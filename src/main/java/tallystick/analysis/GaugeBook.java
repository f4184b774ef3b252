package tallystick.analysis;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.MetricConcept;

/**
 * Every known gauge over the window's scrapes: counts summed over engines and targets, ratios kept
 * for each engine.
 */
final class GaugeBook {
  private static final Set<MetricConcept> RATIOS =
      EnumSet.of(
          MetricConcept.KV_CACHE_USAGE,
          MetricConcept.CPU_CACHE_USAGE,
          MetricConcept.PREFIX_HIT_RATE);

  /** Gauges whose value is a constant, a flag or a time. */
  private static final Set<MetricConcept> NOT_MEASURED =
      EnumSet.of(
          MetricConcept.CACHE_CONFIG, MetricConcept.LORA_REQUESTS, MetricConcept.SLEEP_STATE);

  private final Map<String, GaugeStats> stats = new TreeMap<>();
  private final Map<String, Map<Integer, Double>> newest = new HashMap<>();

  /** Takes the newest scrape of a target. */
  void read(int targetIndex, TargetReading target) {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (SeriesTrack track : target.tracks()) {
      if (!isMeasured(track) || !target.uses(track) || !target.isCurrent(track)) {
        continue;
      }
      if (RATIOS.contains(track.concept().orElseThrow())) {
        stats(track.family()).add(track.value());
      } else {
        sums.merge(key(track), track.value(), Double::sum);
      }
    }
    sums.forEach((key, sum) -> addTotal(key, targetIndex, sum));
  }

  /** Ranges by family name; a reason label stands behind the name. */
  Map<String, RunAnalysis.GaugeRange> ranges() {
    Map<String, RunAnalysis.GaugeRange> ranges = new TreeMap<>();
    stats.forEach(
        (key, gauge) -> {
          if (!gauge.isEmpty()) {
            ranges.put(key, gauge.range());
          }
        });
    return ranges;
  }

  private void addTotal(String key, int targetIndex, double sum) {
    Map<Integer, Double> byTarget = newest.computeIfAbsent(key, any -> new TreeMap<>());
    byTarget.put(targetIndex, sum);
    stats(key).add(byTarget.values().stream().mapToDouble(Double::doubleValue).sum());
  }

  private GaugeStats stats(String key) {
    return stats.computeIfAbsent(key, any -> new GaugeStats());
  }

  private static boolean isMeasured(SeriesTrack track) {
    return track.kind() == SeriesTrack.Kind.GAUGE
        && track.concept().filter(concept -> !NOT_MEASURED.contains(concept)).isPresent();
  }

  private static String key(SeriesTrack track) {
    String reason = track.series().label("reason");
    return reason.isEmpty() ? track.family() : track.family() + "{reason=\"" + reason + "\"}";
  }
}
