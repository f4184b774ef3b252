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

/** The bucket edges of the engine's latency histograms; vLLM 0.32's where it exposes none. */
final class EngineEdges {
  private static final List<Double> FIRST_TOKEN =
      List.of(
          .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1., 2.5, 5., 7.5, 10., 20., 40.,
          80., 160., 640., 2560., Double.POSITIVE_INFINITY);
  private static final List<Double> GAP =
      List.of(
          .01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1., 2.5, 5., 7.5, 10., 20., 40., 80.,
          Double.POSITIVE_INFINITY);
  private static final List<Double> WHOLE =
      List.of(
          .3, .5, .8, 1., 1.5, 2., 2.5, 5., 10., 15., 20., 30., 40., 50., 60., 120., 240., 480.,
          960., 1920., 7680., Double.POSITIVE_INFINITY);

  private final Map<MetricConcept, SortedSet<Double>> seen = new EnumMap<>(MetricConcept.class);

  /** Takes a scrape's edges. */
  void read(ScrapeRow row) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    for (Sample sample : row.samples()) {
      String le = sample.series().label("le");
      if (!le.isEmpty()) {
        vocabulary
            .conceptOf(sample.series().name())
            .ifPresent(
                concept ->
                    seen.computeIfAbsent(concept, any -> new TreeSet<>()).add(edge(le)));
      }
    }
  }

  /** Whether a scrape had shown them; some engines show their histograms with the first request. */
  boolean isKnown() {
    return seen.containsKey(MetricConcept.TTFT);
  }

  List<Double> firstToken() {
    return edges(MetricConcept.TTFT, FIRST_TOKEN);
  }

  List<Double> gap() {
    return edges(MetricConcept.ITL, GAP);
  }

  List<Double> whole() {
    return edges(MetricConcept.E2E, WHOLE);
  }

  private List<Double> edges(MetricConcept concept, List<Double> otherwise) {
    return seen.containsKey(concept) ? new ArrayList<>(seen.get(concept)) : otherwise;
  }

  private static double edge(String le) {
    return le.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
  }
}
