package tallystick.analysis.engine;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import tallystick.analysis.result.Figure;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/**
 * Growth of the engine's counters and histograms over the window, summed over models, engines and
 * targets; a concept no target exposes is absent, never 0.
 */
public record EngineTotals(Collection<TargetReading> targets) {
  public EngineTotals {
    targets = List.copyOf(targets);
  }

  /** Why there is no figure of a concept: nothing was read, not this, or what cannot be. */
  public String whyMissing(MetricConcept concept) {
    if (targets.isEmpty()) {
      return "no engine metrics were read";
    }
    return targets.stream()
        .flatMap(target -> target.whyUnknown(concept).stream())
        .findFirst()
        .orElseGet(() -> "the engine does not expose " + exposedName(concept).orElse("it"));
  }

  /** A figure that is missing for that reason. */
  public Figure missing(MetricConcept concept) {
    return Figure.missing(whyMissing(concept));
  }

  /** Growth of a counter, or why there is none. */
  public Figure growth(MetricConcept concept) {
    OptionalDouble growth = counter(concept);
    return growth.isPresent() ? Figure.of(growth.getAsDouble()) : missing(concept);
  }

  /**
   * A histogram's growth.
   *
   * @param family family name as exposed
   * @param count observations
   * @param sum their sum, in the family's unit
   * @param cumulative observations at or below each edge, the infinite one included
   */
  public record HistogramGrowth(
      String family, double count, double sum, SortedMap<Double, Double> cumulative) {
    public Figure mean() {
      return count > 0 ? Figure.of(sum / count) : Figure.missing("no observations");
    }

    /** The histogram whose parts these series are; empty if none of them counts. */
    public static Optional<HistogramGrowth> of(Collection<SeriesTrack> parts) {
      List<SeriesTrack> counts =
          parts.stream().filter(part -> part.kind() == SeriesTrack.Kind.COUNT).toList();
      if (counts.isEmpty()) {
        return Optional.empty();
      }
      double count = counts.stream().mapToDouble(SeriesTrack::delta).sum();
      double sum =
          parts.stream()
              .filter(part -> part.kind() == SeriesTrack.Kind.SUM)
              .mapToDouble(SeriesTrack::delta)
              .sum();
      return Optional.of(
          new HistogramGrowth(counts.get(0).family(), count, sum, cumulative(parts, count)));
    }

    /** The same in a unit so many times as long. */
    public HistogramGrowth in(double unit) {
      SortedMap<Double, Double> edges = new TreeMap<>();
      cumulative.forEach((edge, below) -> edges.put(edge * unit, below));
      return new HistogramGrowth(family, count, sum * unit, edges);
    }

    private static SortedMap<Double, Double> cumulative(
        Collection<SeriesTrack> parts, double count) {
      SortedMap<Double, Double> cumulative = new TreeMap<>();
      Map<Double, Integer> holders = new HashMap<>();
      parts.stream()
          .filter(part -> part.kind() == SeriesTrack.Kind.BUCKET && !Double.isNaN(part.edge()))
          .forEach(
              part -> {
                cumulative.merge(part.edge(), part.delta(), Double::sum);
                holders.merge(part.edge(), 1, Integer::sum);
              });
      int all = holders.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      // An edge that only some engines have cannot be summed over all of them.
      cumulative.keySet().removeIf(edge -> holders.get(edge) < all);
      cumulative.put(Double.POSITIVE_INFINITY, count);
      return cumulative;
    }
  }

  /** Growth of a counter. */
  public OptionalDouble counter(MetricConcept concept) {
    List<SeriesTrack> tracks = used(concept, SeriesTrack.Kind.COUNTER).toList();
    return tracks.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(tracks.stream().mapToDouble(SeriesTrack::delta).sum());
  }

  /** Growth of a counter by the value of one of its labels. */
  public Map<String, Double> counterBy(MetricConcept concept, String label) {
    Map<String, Double> growth = new TreeMap<>();
    used(concept, SeriesTrack.Kind.COUNTER)
        .forEach(track -> growth.merge(track.series().label(label), track.delta(), Double::sum));
    return growth;
  }

  /** Finished requests by the reason that the engine tells; empty where it tells none. */
  public Map<String, Double> finishedByReason() {
    String label = family().labels().finishReason();
    return label.isEmpty() ? Map.of() : counterBy(MetricConcept.REQUEST_SUCCESS, label);
  }

  /** Whose account it is; vLLM's where no target exposes a metric of an engine. */
  public EngineFamily family() {
    return targets.stream()
        .flatMap(target -> target.tracks().stream())
        .flatMap(track -> track.engineFamily().stream())
        .findFirst()
        .orElseGet(() -> MetricVocabulary.standard().families().getFirst());
  }

  /** Name of a counter as exposed; the concept's own word where no target has it. */
  public String nameOf(MetricConcept concept) {
    return exposedName(concept).orElse(concept.name());
  }

  private Optional<String> exposedName(MetricConcept concept) {
    return targets.stream()
        .flatMap(target -> target.tracks().stream().filter(target::means))
        .filter(track -> track.means(concept))
        .map(SeriesTrack::family)
        .findFirst();
  }

  /** Whether some target says nothing of a concept that it exposes, so that no sum is whole. */
  private boolean isUnknown(MetricConcept concept) {
    return targets.stream().anyMatch(target -> target.whyUnknown(concept).isPresent());
  }

  /** Growth of a histogram; empty if no target exposes it. */
  public Optional<HistogramGrowth> histogram(MetricConcept concept) {
    return isUnknown(concept)
        ? Optional.empty()
        : HistogramGrowth.of(
            targets.stream()
                .flatMap(target -> target.tracks().stream().filter(target::uses))
                .filter(track -> track.means(concept))
                .toList());
  }

  /** Finite upper edges of a histogram, ascending; none if no target exposes it. */
  public double[] edges(MetricConcept concept) {
    return histogram(concept).stream()
        .flatMap(growth -> growth.cumulative().keySet().stream())
        .mapToDouble(Double::doubleValue)
        .filter(edge -> edge < Double.POSITIVE_INFINITY)
        .toArray();
  }

  /** Growth of every counter with a known meaning, by name as exposed. */
  Map<String, Double> counters() {
    Map<String, Double> growth = new TreeMap<>();
    Map<MetricConcept, Boolean> unknown = new EnumMap<>(MetricConcept.class);
    for (TargetReading target : targets) {
      target.tracks().stream()
          .filter(track -> track.kind() == SeriesTrack.Kind.COUNTER && track.concept().isPresent())
          .filter(track -> !unknown.computeIfAbsent(track.concept().get(), this::isUnknown))
          .filter(target::uses)
          .forEach(track -> growth.merge(track.family(), track.delta(), Double::sum));
    }
    return growth;
  }

  /**
   * What the engines tell of their settings by the labels of their {@code _info} families, for
   * example {@code block_size}; where engines differ, each value once.
   */
  Map<String, String> settings() {
    Map<String, TreeSet<String>> values = new TreeMap<>();
    for (TargetReading target : targets) {
      target.tracks().stream()
          .filter(track -> track.value() == 1)
          .forEach(
              track ->
                  track
                      .engineFamily()
                      .filter(family -> family.tellsSettings(track.series().name()))
                      .ifPresent(
                          family ->
                              addSettings(values, track.series().labels(), family.labels().own())));
    }
    Map<String, String> settings = new TreeMap<>();
    values.forEach((name, each) -> settings.put(name, String.join(" / ", each)));
    return settings;
  }

  private static void addSettings(
      Map<String, TreeSet<String>> values, Map<String, String> labels, Set<String> own) {
    labels.forEach(
        (name, value) -> {
          if (!own.contains(name)) {
            values.computeIfAbsent(name, any -> new TreeSet<>()).add(value);
          }
        });
  }

  /**
   * Whether every target tells when its series began. vLLM with several API servers cannot: its
   * processes share counters that have no birth.
   */
  public boolean knowsBirths() {
    return targets.stream()
        .allMatch(
            target -> target.tracks().stream().anyMatch(t -> t.kind() == SeriesTrack.Kind.BIRTH));
  }

  /** Whether no target exposes the families this product reads. */
  public boolean isEmpty() {
    return Stream.of(
            MetricConcept.GENERATION_TOKENS, MetricConcept.REQUEST_SUCCESS, MetricConcept.TTFT,
            MetricConcept.E2E)
        .allMatch(concept -> exposedName(concept).isEmpty());
  }

  private Stream<SeriesTrack> used(MetricConcept concept, SeriesTrack.Kind kind) {
    if (isUnknown(concept)) {
      return Stream.empty();
    }
    return targets.stream()
        .flatMap(
            target ->
                target.tracks().stream()
                    .filter(track -> track.kind() == kind && track.means(concept))
                    .filter(target::uses));
  }
}
