package tallystick.scrape;

import java.util.List;
import java.util.Optional;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;

/**
 * One scrape of a checkup with what HTTP told beside it.
 *
 * @param startedUtcSeconds the client's wall clock before the request
 * @param endedUtcSeconds the client's wall clock after the answer
 * @param dateUtcSeconds the server's {@code Date} header; NaN without one
 * @param contentType the answer's content type
 * @param sizeBytes length of the exposition
 * @param duplicates samples of a series that an earlier line shows
 * @param samples the exposition's samples
 */
record Observation(
    double startedUtcSeconds,
    double endedUtcSeconds,
    double dateUtcSeconds,
    String contentType,
    int sizeBytes,
    int duplicates,
    List<Sample> samples) {
  Observation {
    samples = List.copyOf(samples);
  }

  /** The samples that carry a concept, under its current or an older name. */
  List<Sample> of(MetricConcept concept) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    return samples.stream()
        .filter(sample -> vocabulary.means(sample.series().name(), concept))
        .toList();
  }

  /** The first value of a concept. */
  Optional<Double> value(MetricConcept concept) {
    return of(concept).stream().map(Sample::value).findFirst();
  }

  /** The engine family whose metrics these are; empty where there are none, or of several. */
  Optional<EngineFamily> family() {
    return familyOf(samples);
  }

  /** The engine family of a scrape; empty where it shows none, or several. */
  static Optional<EngineFamily> familyOf(List<Sample> samples) {
    List<EngineFamily> families = familiesOf(samples);
    return families.size() == 1 ? Optional.of(families.getFirst()) : Optional.empty();
  }

  /** The engine families of a scrape. */
  static List<EngineFamily> familiesOf(List<Sample> samples) {
    return MetricVocabulary.standard()
        .familiesAmong(samples.stream().map(sample -> sample.series().name()).toList());
  }

  /** Whether a name is an engine's, in either spelling. */
  static boolean isEngines(String name) {
    return MetricVocabulary.standard().familyOf(name).isPresent();
  }
}
