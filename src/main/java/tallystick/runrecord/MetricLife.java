package tallystick.runrecord;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * In which releases of its engine a metric name is exposed.
 *
 * @param words as the vocabulary says it: {@code current}, {@code since 0.12}, {@code deprecated
 *     0.9.2, hidden 0.11, removed 0.12} or {@code removed with the V0 engine}
 * @param events when it came, was deprecated, hidden and removed, as far as that is said
 */
public record MetricLife(String words, Map<Event, EngineRelease> events) {
  private static final String CURRENT = "current";
  private static final String V0_ONLY = "removed with the V0 engine";

  /** What happens to a name in a release. */
  public enum Event {
    SINCE,
    DEPRECATED,
    HIDDEN,
    REMOVED
  }

  public MetricLife {
    events = Map.copyOf(events);
  }

  /**
   * Reads the words.
   *
   * @throws IllegalArgumentException if they are none of the forms
   */
  static MetricLife of(String words) {
    Map<Event, EngineRelease> events = new EnumMap<>(Event.class);
    if (!words.equals(CURRENT) && !words.equals(V0_ONLY) && !words.equals("removed")) {
      for (String part : words.split(", ")) {
        String[] both = part.split(" ", 2);
        Event event = Event.valueOf(both[0].toUpperCase(java.util.Locale.ROOT));
        EngineRelease release =
            Optional.of(both)
                .filter(pair -> pair.length == 2)
                .flatMap(pair -> EngineRelease.read(pair[1]))
                .orElseThrow(() -> new IllegalArgumentException("no release in: " + words));
        events.put(event, release);
      }
    }
    return new MetricLife(words, events);
  }

  /** Whether current releases no longer have the name. */
  public boolean isOver() {
    return words.contains("removed");
  }

  /** When something happened to the name, if it is said. */
  public Optional<EngineRelease> when(Event event) {
    return Optional.ofNullable(events.get(event));
  }

  /** Whether a release has the name but shows it only on demand. */
  public boolean isHiddenIn(EngineRelease release) {
    return has(Event.HIDDEN, release) && !has(Event.REMOVED, release);
  }

  /**
   * Whether a release exposes the name.
   *
   * @param showsHidden whether it was asked for what it hides
   */
  public boolean isExposedIn(EngineRelease release, boolean showsHidden) {
    if (isOver() && events.isEmpty()) {
      return words.equals(V0_ONLY) && release.isV0();
    }
    boolean isThere = !events.containsKey(Event.SINCE) || has(Event.SINCE, release);
    return isThere && !has(Event.REMOVED, release) && (showsHidden || !isHiddenIn(release));
  }

  private boolean has(Event event, EngineRelease release) {
    EngineRelease at = events.get(event);
    return at != null && !release.isBefore(at);
  }
}
