package tallystick.runrecord;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The bucket edges of the engine's histograms; vLLM's where it exposes none. Threads: any. */
public final class EngineEdges {
  private final Map<MetricConcept, SortedSet<Double>> seen = new EnumMap<>(MetricConcept.class);

  /** Takes a scrape's edges, until one has shown them: some engines show none at first. */
  public synchronized void read(ScrapeRow row) {
    if (!row.isGood() || seen.containsKey(MetricConcept.TTFT)) {
      return;
    }
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    for (Sample sample : row.samples()) {
      Series.edge(sample.series().label("le")).ifPresent(
          edge ->
              vocabulary.conceptOf(sample.series().name()).ifPresent(
                  concept -> seen.computeIfAbsent(concept, any -> new TreeSet<>()).add(edge)));
    }
  }

  /** Upper bounds, ascending, the last infinite. */
  public synchronized List<Double> of(MetricConcept concept) {
    if (seen.containsKey(concept)) {
      return new ArrayList<>(seen.get(concept));
    }
    List<Double> edges =
        new ArrayList<>(MetricVocabulary.standard().families().getFirst().edges().get(concept));
    edges.add(Double.POSITIVE_INFINITY);
    return edges;
  }
}
