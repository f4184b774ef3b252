package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;

/** The vocabulary against what real exporters send. */
class RecordedNamesTest {
  private final MetricVocabulary vocabulary = MetricVocabulary.standard();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metrics-after-preempt.prom", "metrics-mp1.prom", "metrics-openmetrics.txt",
        "dynamo_worker_metrics.txt", "metrics-lmcache-after.prom"
      })
  void knowsEveryFamilyOfVllm(String file) throws IOException {
    assertThat(samples(file))
        .filteredOn(sample -> Observation.isEngines(sample.series().name()))
        .filteredOn(sample -> !sample.series().name().endsWith("_created"))
        .isNotEmpty()
        .allMatch(sample -> vocabulary.conceptOf(sample.series().name()).isPresent());
  }

  @Test
  void knowsEveryFamilyOfDcgmExportersDefault() throws IOException {
    assertThat(samples("dcgm_exporter_sample.txt"))
        .allMatch(sample -> vocabulary.conceptOf(sample.series().name()).isPresent());
  }

  @Test
  void findsTheFrontendsVantagePointInDynamo() throws IOException {
    assertThat(concepts("dynamo_frontend_metrics.txt"))
        .contains(
            MetricConcept.DYNAMO_TTFT,
            MetricConcept.DYNAMO_ITL,
            MetricConcept.DYNAMO_E2E,
            MetricConcept.DYNAMO_REQUESTS,
            MetricConcept.DYNAMO_OUTPUT_TOKENS)
        .doesNotContain(MetricConcept.TTFT);
  }

  @Test
  void agreesWithTheTypesTheExportersDeclare() throws IOException {
    for (String file :
        List.of("metrics-after-preempt.prom", "dynamo_worker_metrics.txt",
            "dynamo_frontend_metrics.txt", "dcgm_exporter_sample.txt",
            "metrics-lmcache-after.prom")) {
      assertThat(samples(file))
          .filteredOn(sample -> vocabulary.entryOf(sample.series().name()).isPresent())
          .allSatisfy(
              sample ->
                  assertThat(vocabulary.entryOf(sample.series().name()).orElseThrow().type())
                      .as(sample.series().name())
                      .isEqualTo(sample.series().type()));
    }
  }

  private Set<MetricConcept> concepts(String file) throws IOException {
    return samples(file).stream()
        .flatMap(sample -> vocabulary.conceptOf(sample.series().name()).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Sample> samples(String file) throws IOException {
    String format = file.contains("openmetrics") ? "application/openmetrics-text" : "text/plain";
    return new ExpositionParser().parse(Fixtures.bytes(file), format);
  }
}
