package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Series;

/** The names and edges under which one engine exposes what the signals need. */
public final class EngineNames {
  private final Map<MetricConcept, String> families = new TreeMap<>();
  private final Map<String, TreeMap<Double, String>> edges = new TreeMap<>();

  /** Each model's name, and the label that has it. */
  private final TreeMap<String, String> models = new TreeMap<>();

  private EngineNames() {}

  /** Names of the series of a store. */
  public static EngineNames of(SeriesStore store) {
    EngineNames names = new EngineNames();
    List<Labels> series = store.all().stream().map(StoredSeries::labels).toList();
    series.stream().map(Labels::name).distinct().forEach(names::learn);
    series.forEach(names::learnEdge);
    series.forEach(names::learnModel);
    return names;
  }

  /** The same names in another spelling. */
  public EngineNames spelled(Spelling spelling) {
    EngineNames names = new EngineNames();
    families.forEach((concept, family) -> names.families.put(concept, spelling.of(family)));
    edges.forEach((bucket, texts) -> names.edges.put(spelling.of(bucket), texts));
    names.models.putAll(models);
    return names;
  }

  private void learn(String sample) {
    MetricVocabulary.Entry entry = MetricVocabulary.standard().entryOf(sample).orElse(null);
    if (entry == null || sample.endsWith("_created")) {
      return;
    }
    String family =
        switch (entry.type()) {
          case HISTOGRAM -> sample.replaceFirst("_(bucket|count|sum)$", "");
          case COUNTER, GAUGE, SUMMARY, UNTYPED -> sample;
        };
    if (entry.removed()) {
      families.putIfAbsent(entry.concept(), family);
    } else {
      families.put(entry.concept(), family);
    }
  }

  private void learnModel(Labels labels) {
    MetricVocabulary.standard()
        .familyOf(labels.name())
        .map(family -> family.labels().model())
        .filter(label -> !labels.get(label).isEmpty())
        .ifPresent(label -> models.put(labels.get(label), label));
  }

  private void learnEdge(Labels labels) {
    String text = labels.get("le");
    Series.edge(text).stream()
        .filter(Double::isFinite)
        .forEach(
            edge ->
                edges.computeIfAbsent(labels.name(), any -> new TreeMap<>()).put(edge, text));
  }

  /**
   * The matchers that keep rules to what was measured: the model, where the series name one only.
   *
   * @param more further matchers; may be empty
   */
  String scope(String more) {
    String own =
        models.size() == 1
            ? LabelMatcher.equal(models.firstEntry().getValue(), models.firstKey()).toString()
            : "";
    return own + (own.isEmpty() || more.isEmpty() ? "" : ",") + more;
  }

  /** The counter's, gauge's or histogram family's name; empty if it is not exposed. */
  public Optional<String> family(MetricConcept concept) {
    return Optional.ofNullable(families.get(concept));
  }

  /** Finite edges of a histogram, ascending. */
  public List<Double> edges(MetricConcept concept) {
    return new ArrayList<>(texts(concept).keySet());
  }

  /** An edge as the label {@code le} writes it. */
  public String edgeText(MetricConcept concept, double edge) {
    String text = texts(concept).get(edge);
    if (text == null) {
      throw new IllegalArgumentException(edge + " is not a bucket edge of " + concept);
    }
    return text;
  }

  /** The concepts there are names for. */
  public Collection<MetricConcept> concepts() {
    return List.copyOf(families.keySet());
  }

  private TreeMap<Double, String> texts(MetricConcept concept) {
    return family(concept)
        .map(family -> edges.getOrDefault(family + "_bucket", new TreeMap<>()))
        .orElseGet(TreeMap::new);
  }
}
