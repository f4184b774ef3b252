package tallystick.scrape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.EngineRelease;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricLife;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;

/** Which spelling and which older names a target uses. */
final class NameCheck {
  private NameCheck() {}

  static List<Remark> remarks(List<Sample> samples, String engineVersion) {
    List<Remark> remarks = new ArrayList<>();
    Optional<EngineFamily> family = Observation.familyOf(samples);
    family.flatMap(one -> spelling(one, samples)).ifPresent(remarks::add);
    Map<String, MetricVocabulary.Entry> older = olderNames(samples);
    older.forEach((name, entry) -> remarks.add(Remark.note("older name", words(name, entry))));
    EngineFamily known = family.orElse(MetricVocabulary.standard().families().getFirst());
    remarks.addAll(hidden(known, engineVersion, older.keySet()));
    return remarks;
  }

  /** How names begin that do not begin as the engine's own. */
  private static Optional<Remark> spelling(EngineFamily family, List<Sample> samples) {
    return samples.stream()
        .map(sample -> sample.series().name())
        .filter(name -> family.owns(name) && !name.startsWith(family.prefix()))
        .findFirst()
        .map(name -> name.substring(0, name.length() - family.withoutPrefix(name).length()))
        .map(
            begin ->
                Remark.note("spelling",
                    "names come as %s…; rules on %s… stay empty"
                        .formatted(begin, family.prefix())));
  }

  private static Map<String, MetricVocabulary.Entry> olderNames(List<Sample> samples) {
    Map<String, MetricVocabulary.Entry> older = new TreeMap<>();
    for (Sample sample : samples) {
      MetricVocabulary.standard()
          .entryOf(sample.series().name())
          .filter(MetricVocabulary.Entry::removed)
          .ifPresent(entry -> older.put(entry.family(), entry));
    }
    return older;
  }

  private static String words(String name, MetricVocabulary.Entry entry) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    Optional<EngineFamily> family = vocabulary.familyOf(name);
    String instead =
        family.stream()
            .flatMap(one -> vocabulary.namesOf(entry.concept(), one).stream())
            .findFirst()
            .filter(current -> !current.removed())
            .map(current -> "; the current name is " + current.family())
            .orElse("");
    String where = family.map(one -> "in " + one.title() + " ").orElse("");
    return name + ", " + where + entry.life().words() + instead;
  }

  /** vLLM hides a metric in a release after its deprecation and shows it on demand there. */
  private static List<Remark> hidden(EngineFamily family, String engineVersion, Set<String> shown) {
    Optional<EngineRelease> release = EngineRelease.read(engineVersion);
    List<Remark> remarks = new ArrayList<>();
    for (MetricConcept concept : MetricConcept.values()) {
      for (MetricVocabulary.Entry entry : MetricVocabulary.standard().namesOf(concept, family)) {
        boolean isHidden = release.filter(entry.life()::isHiddenIn).isPresent();
        if (isHidden && !shown.contains(entry.family())) {
          String text =
              entry.family() + " is hidden here; --show-hidden-metrics-for-version="
                  + release.orElseThrow().previousMinor()
                  + " shows it until it is removed in "
                  + entry.life().when(MetricLife.Event.REMOVED).orElseThrow();
          remarks.add(Remark.note("hidden name", text));
        }
      }
    }
    return remarks;
  }
}
