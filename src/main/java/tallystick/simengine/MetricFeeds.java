package tallystick.simengine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which series of one engine tell which event. Callers hold the registry's monitor.
 */
final class MetricFeeds {
  private static final String ANY = "";

  private final MetricRegistry registry;
  private final Map<EngineEvent, Map<String, List<RegisteredSeries>>> series =
      new EnumMap<>(EngineEvent.class);

  /**
   * The series that speak of one engine.
   *
   * @param rank the engine's number, from 0
   */
  MetricFeeds(MetricRegistry registry, int rank) {
    this.registry = registry;
    for (RegisteredSeries one : registry.series()) {
      if (one.family().isOf(one.labels(), rank)) {
        one.family().feeds().forEach(feed -> add(feed, one));
      }
    }
    tell(EngineEvent.ALWAYS, 1);
  }

  private void add(MetricFamily.Feed feed, RegisteredSeries one) {
    String value = feed.label().isEmpty() ? ANY : one.value(feed.label());
    if (feed.isAnyValue() || feed.value().equals(value)) {
      series
          .computeIfAbsent(feed.event(), any -> new HashMap<>())
          .computeIfAbsent(feed.isAnyValue() ? value : ANY, any -> new ArrayList<>())
          .add(one);
    }
  }

  /** Whether a series tells this event. */
  boolean tells(EngineEvent event) {
    return series.containsKey(event);
  }

  /** An event with a value, told by whatever tells it. */
  void tell(EngineEvent event, double value) {
    tell(event, value, ANY);
  }

  /** The same; where its series differ in a label, by the one with this value of it. */
  void tell(EngineEvent event, double value, String which) {
    Map<String, List<RegisteredSeries>> telling = series.get(event);
    if (telling == null) {
      return;
    }
    telling.getOrDefault(ANY, List.of()).forEach(one -> registry.take(one, value));
    if (!which.equals(ANY)) {
      telling.getOrDefault(which, List.of()).forEach(one -> registry.take(one, value));
    }
  }
}
