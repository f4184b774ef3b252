package tallystick.scrape;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Series;

/**
 * Whether a selector's series are of one process and stored once.
 *
 * <p>Two Prometheis that scrape one engine store each of its counters twice, told apart by an
 * external label such as {@code replica}; added up, every count would double. What a Prometheus
 * attaches to a scrape stands on {@code up}, which has no label of its own. A selector without
 * {@code up} is judged by counters of which an engine has one: alike in the engine's own labels,
 * they may not differ in others.
 */
final class StoredOnce {
  private static final Set<MetricConcept> COUNTED =
      EnumSet.of(
          MetricConcept.PROMPT_TOKENS,
          MetricConcept.GENERATION_TOKENS,
          MetricConcept.REQUEST_SUCCESS);

  private final String selector;
  private final MetricVocabulary vocabulary = MetricVocabulary.standard();
  private final Set<String> instances = new TreeSet<>();
  private final Set<Map<String, String>> scrapes = new LinkedHashSet<>();
  private final Map<String, Set<Map<String, String>>> counters = new HashMap<>();

  StoredOnce(String selector) {
    this.selector = selector;
  }

  /**
   * Takes a series with samples.
   *
   * @throws IOException if it shows that the selector takes in more than one process, once
   */
  void see(Series series) throws IOException {
    instances.add(series.label("job") + " " + series.label("instance"));
    if (instances.size() > 1) {
      throw new IOException(
          selector + " selects several instances (" + String.join(", ", instances)
              + "); give each a target of its own");
    }
    if (series.name().equals("up")) {
      refuseSecond(scrapes, series.labels());
    } else if (vocabulary.conceptOf(series.name()).filter(COUNTED::contains).isPresent()) {
      Map<String, String> own = new TreeMap<>(series.labels());
      own.keySet().retainAll(ownLabels(series));
      Map<String, String> attached = new TreeMap<>(series.labels());
      attached.keySet().removeAll(ownLabels(series));
      refuseSecond(
          counters.computeIfAbsent(series.name() + own, any -> new LinkedHashSet<>()), attached);
    }
  }

  /** Labels that the engine itself gives a counter. */
  private Set<String> ownLabels(Series series) {
    return vocabulary.familyOf(series.name()).map(family -> family.labels().own()).orElse(Set.of());
  }

  private void refuseSecond(Set<Map<String, String>> seen, Map<String, String> labels)
      throws IOException {
    seen.add(labels);
    if (seen.size() > 1) {
      String differing = difference(seen);
      throw new IOException(
          selector + " finds the same counters more than once, apart only in " + differing
              + ": they would be added up. Select one of them in the URL, or have the store"
              + " deduplicate (Thanos: --query.replica-label)");
    }
  }

  /** The labels that are not alike, with their values. */
  private static String difference(Set<Map<String, String>> seen) {
    Set<String> names = new TreeSet<>();
    seen.forEach(labels -> names.addAll(labels.keySet()));
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      Set<String> values = new TreeSet<>();
      seen.forEach(labels -> values.add(labels.getOrDefault(name, "none")));
      if (values.size() > 1) {
        text.append(text.isEmpty() ? "" : "; ")
            .append(name).append(": ").append(String.join(", ", values));
      }
    }
    return text.toString();
  }
}
