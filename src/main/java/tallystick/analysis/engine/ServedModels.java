package tallystick.analysis.engine;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/**
 * The models that a run's scrapes tell of. Figures of different models are never added up: where
 * there are several, only the series of the run's own model count, and none if it is not among
 * them.
 */
final class ServedModels {
  private final Optional<String> wanted;
  private final SortedSet<String> seen = new TreeSet<>();
  private final Set<String> families = new LinkedHashSet<>(); // their titles

  private ServedModels(Optional<String> wanted) {
    this.wanted = wanted;
  }

  /** The models beside the one that the run asked for; empty where a damaged record lost it. */
  static ServedModels of(String runModel) {
    return new ServedModels(Optional.of(runModel).filter(model -> !model.isEmpty()));
  }

  /** For scrapes whose models are not told apart. */
  static ServedModels any() {
    return new ServedModels(Optional.empty());
  }

  /** Takes note of a scrape's models. */
  void note(ScrapeRow row) {
    row.samples().forEach(sample -> note(sample.series()));
  }

  /** Takes note of a series' model. */
  void note(Series series) {
    MetricVocabulary.standard()
        .familyOf(series.name())
        .map(EngineFamily::title)
        .ifPresent(families::add);
    String model = modelOf(series);
    if (!model.isEmpty()) {
      seen.add(model);
    }
  }

  /** Whether a series is the run's own, as far as it is known which models there are. */
  boolean include(Series series) {
    if (wanted.isEmpty() || seen.size() < 2) {
      return true;
    }
    String model = modelOf(series);
    return model.isEmpty() || model.equals(wanted.get());
  }

  private static String modelOf(Series series) {
    return MetricVocabulary.standard()
        .familyOf(series.name())
        .map(family -> series.label(family.labels().model()))
        .orElse("");
  }

  /** Models whose series are left out; empty if there is but one. */
  SortedSet<String> others() {
    SortedSet<String> others = new TreeSet<>(seen);
    wanted.ifPresent(others::remove);
    return seen.size() < 2 ? new TreeSet<>() : others;
  }

  /** Why no series can be used; empty if some can. */
  Optional<String> conflict() {
    if (families.size() > 1) {
      return Optional.of(
          "the scrapes tell of "
              + String.join(" and ", families)
              + ", which count differently and are never added up");
    }
    boolean isMissing = wanted.isPresent() && seen.size() > 1 && !seen.contains(wanted.get());
    return isMissing
        ? Optional.of(
            "the scrapes tell of the models "
                + String.join(" and ", seen)
                + ", which are never added up, and of no "
                + wanted.get())
        : Optional.empty();
  }
}
