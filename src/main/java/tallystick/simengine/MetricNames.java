package tallystick.simengine;

import java.util.List;
import java.util.Map;

/**
 * What a release calls its families.
 *
 * @param byFamily the names a family is exposed under, by its name in the simulated release; none
 *     where the release does not have it. A family that is not here keeps its name.
 * @param hasEngineLabel whether series tell their engine; the V0 engine's do not
 * @param hasCreated whether counters and histograms tell when they began; the V0 engine's do not
 * @param hasTotal whether a counter's name ends in {@code _total} in Prometheus text
 */
public record MetricNames(
    Map<String, List<String>> byFamily,
    boolean hasEngineLabel,
    boolean hasCreated,
    boolean hasTotal) {

  /** The names of the simulated release. */
  static final MetricNames CURRENT = current(true);

  /** The same, of an engine that may not tell when its series began. */
  static MetricNames current(boolean hasCreated) {
    return new MetricNames(Map.of(), true, hasCreated, true);
  }

  public MetricNames {
    byFamily = Map.copyOf(byFamily);
  }

  List<String> of(String family) {
    return byFamily.getOrDefault(family, List.of(family));
  }
}
