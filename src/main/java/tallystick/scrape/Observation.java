package tallystick.scrape;

import java.util.List;
import java.util.Optional;
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
 * @param duplicates samples that a later line replaced
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
        .filter(
            sample ->
                vocabulary.conceptOf(sample.series().name()).filter(concept::equals).isPresent())
        .toList();
  }

  /** The first value of a concept. */
  Optional<Double> value(MetricConcept concept) {
    return of(concept).stream().map(Sample::value).findFirst();
  }

  /** Whether any sample's name begins with vLLM's prefix in either spelling. */
  boolean hasEngineFamilies() {
    return samples.stream().anyMatch(sample -> isEngines(sample.series().name()));
  }

  /** Whether a name is one of vLLM's, in either spelling. */
  static boolean isEngines(String name) {
    return name.startsWith("vllm:") || name.startsWith("vllm_");
  }
}
