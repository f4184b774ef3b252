package tallystick.export;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** The bucket edges of the engine's latency histograms; vLLM's where it exposes none. */
final class EngineEdges {
  private final Map<MetricConcept, SortedSet<Double>> seen = new EnumMap<>(MetricConcept.class);

  /** Takes a scrape's edges. */
  void read(ScrapeRow row) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    for (Sample sample : row.samples()) {
      Series.edge(sample.series().label("le")).ifPresent(
          edge ->
              vocabulary.conceptOf(sample.series().name()).ifPresent(
                  concept -> seen.computeIfAbsent(concept, any -> new TreeSet<>()).add(edge)));
    }
  }

  /** Whether a scrape had shown them; some engines show their histograms with the first request. */
  boolean isKnown() {
    return seen.containsKey(MetricConcept.TTFT);
  }

  List<Double> firstToken() {
    return edges(MetricConcept.TTFT);
  }

  List<Double> gap() {
    return edges(MetricConcept.ITL);
  }

  List<Double> whole() {
    return edges(MetricConcept.E2E);
  }

  private List<Double> edges(MetricConcept concept) {
    if (seen.containsKey(concept)) {
      return new ArrayList<>(seen.get(concept));
    }
    List<Double> edges =
        new ArrayList<>(MetricVocabulary.standard().families().getFirst().edges().get(concept));
    edges.add(Double.POSITIVE_INFINITY);
    return edges;
  }
}
