package tallystick.analysis;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tallystick.runrecord.MetricConcept;

/**
 * Growth of the engine's counters and histograms over the window, summed over models, engines and
 * targets; a concept no target exposes is absent, never 0.
 */
final class EngineTotals {
  private final Collection<TargetReading> targets;

  EngineTotals(Collection<TargetReading> targets) {
    this.targets = List.copyOf(targets);
  }

  /**
   * A histogram's growth.
   *
   * @param family family name as exposed
   * @param count observations
   * @param sum their sum, in the family's unit
   * @param cumulative observations at or below each edge, the infinite one included
   */
  record HistogramGrowth(
      String family, double count, double sum, SortedMap<Double, Double> cumulative) {
    Figure mean() {
      return count > 0 ? Figure.of(sum / count) : Figure.missing("no observations");
    }
  }

  /** Growth of a counter. */
  OptionalDouble counter(MetricConcept concept) {
    List<SeriesTrack> tracks = used(concept, SeriesTrack.Kind.COUNTER).toList();
    return tracks.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(tracks.stream().mapToDouble(SeriesTrack::delta).sum());
  }

  /** Growth of a counter by the value of one of its labels. */
  Map<String, Double> counterBy(MetricConcept concept, String label) {
    Map<String, Double> growth = new TreeMap<>();
    used(concept, SeriesTrack.Kind.COUNTER)
        .forEach(track -> growth.merge(track.series().label(label), track.delta(), Double::sum));
    return growth;
  }

  /** Name of a counter as exposed; the concept's own word where no target has it. */
  String nameOf(MetricConcept concept) {
    return targets.stream()
        .flatMap(target -> target.tracks().stream().filter(target::uses))
        .filter(track -> track.means(concept))
        .map(SeriesTrack::family)
        .findFirst()
        .orElse(concept.name());
  }

  /** Growth of a histogram; empty if no target exposes it. */
  Optional<HistogramGrowth> histogram(MetricConcept concept) {
    List<SeriesTrack> counts = used(concept, SeriesTrack.Kind.COUNT).toList();
    if (counts.isEmpty()) {
      return Optional.empty();
    }
    double count = counts.stream().mapToDouble(SeriesTrack::delta).sum();
    double sum =
        used(concept, SeriesTrack.Kind.SUM).mapToDouble(SeriesTrack::delta).sum();
    return Optional.of(
        new HistogramGrowth(counts.get(0).family(), count, sum, cumulative(concept, count)));
  }

  /** Growth of every counter with a known meaning, by name as exposed. */
  Map<String, Double> counters() {
    Map<String, Double> growth = new TreeMap<>();
    for (TargetReading target : targets) {
      target.tracks().stream()
          .filter(track -> track.kind() == SeriesTrack.Kind.COUNTER)
          .filter(track -> track.concept().isPresent() && target.uses(track))
          .forEach(track -> growth.merge(track.family(), track.delta(), Double::sum));
    }
    return growth;
  }

  /** Whether any target exposes the families this product reads. */
  boolean isEmpty() {
    return counter(MetricConcept.GENERATION_TOKENS).isEmpty()
        && histogram(MetricConcept.TTFT).isEmpty();
  }

  private SortedMap<Double, Double> cumulative(MetricConcept concept, double count) {
    SortedMap<Double, Double> cumulative = new TreeMap<>();
    Map<Double, Integer> holders = new HashMap<>();
    used(concept, SeriesTrack.Kind.BUCKET)
        .filter(track -> !Double.isNaN(track.edge()))
        .forEach(
            track -> {
              cumulative.merge(track.edge(), track.delta(), Double::sum);
              holders.merge(track.edge(), 1, Integer::sum);
            });
    int all = holders.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    // An edge that only some engines have cannot be summed over all of them.
    cumulative.keySet().removeIf(edge -> holders.get(edge) < all);
    cumulative.put(Double.POSITIVE_INFINITY, count);
    return cumulative;
  }

  private Stream<SeriesTrack> used(MetricConcept concept, SeriesTrack.Kind kind) {
    return targets.stream()
        .flatMap(
            target ->
                target.tracks().stream()
                    .filter(track -> track.kind() == kind && track.means(concept))
                    .filter(target::uses));
  }
}
