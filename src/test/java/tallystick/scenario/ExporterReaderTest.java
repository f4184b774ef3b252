package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

class ExporterReaderTest {
  private static final String GOOD =
      """
      workload: {rate: 4, prompt_tokens: 256, output_tokens: 32}
      duration: 60s
      """;

  @TempDir private Path folder;

  @Test
  void readsAnExporterWhoseNamesAreKnown() {
    List<Exporter> exporters =
        read("exporters: [{name: gpu, url: 'http://10.0.0.7:9400/metrics', labels: {gpu: \"0\"}}]");

    assertThat(exporters)
        .containsExactly(
            new Exporter(
                "gpu", "http://10.0.0.7:9400/metrics", Map.of("gpu", "0"), List.of()));
  }

  @Test
  void readsWhatTheUsersOwnNamesMean() {
    List<Exporter> exporters =
        read(
            """
            exporters:
              - name: gateway
                url: http://10.0.0.7:9901/stats/prometheus
                metrics:
                  requests: {name: rq_total, labels: {cluster: [a, b]}, by: code}
                  e2e: {name: rq_time, unit: ms}
                  in_flight: rq_active
            """);

    assertThat(exporters.get(0).metrics())
        .containsExactly(
            new Metric(
                Quantity.REQUESTS, "rq_total", Map.of("cluster", List.of("a", "b")), "code", 1),
            new Metric(Quantity.E2E, "rq_time", Map.of(), "", 1e-3),
            new Metric(Quantity.IN_FLIGHT, "rq_active", Map.of(), "", 1));
  }

  @Test
  void goesWithoutExportersWhenNoneIsNamed() {
    assertThat(read("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {url: 'http://a/metrics'} | exporters[0].name is missing
          {name: gpu} | exporters[0].url is missing
          {name: gpu, url: a:9400} | exporters[0].url must be an http or https URL
          {name: gpu, url: 'http://u:p@a/metrics'} | exporters[0].url holds a user name or password
          {name: 'a b', url: 'http://a/'} | exporters[0].name must be a name of letters
          {name: engine, url: 'http://a/'} | "engine", a name that the report needs
          {name: p, url: 'http://a/api/v1/query'} | without selecting an exporter
          {name: g, url: 'http://a/', metric: {}} | did you mean "metrics"
          {name: g, url: 'http://a/', metrics: {requestss: x}} | did you mean "requests"
          {name: g, url: 'http://a/', metrics: {requests: 'a b'}} | must be a metric name
          {name: g, url: 'http://a/', metrics: {ttft: x_bucket}} | name the histogram: x
          {name: g, url: 'http://a/', metrics: {ttft: {name: x, unit: h}}} | must be s, ms or us
          {name: g, url: 'http://a/', metrics: {requests: {name: x, unit: ms}}} | is not a time
          {name: g, url: 'http://a/', metrics: {ttft: {name: x, by: code}}} | split by a label
          {name: g, url: 'http://a/', metrics: {ttft: {unit: ms}}} | metrics.ttft.name is missing
          {name: g, url: 'http://a/', labels: {1a: b}} | "1a" is not a label name
          """)
  void namesTheLineAndTheRemedyOfEachMistake(String exporter, String part) {
    assertThatThrownBy(() -> read("exporters:\n  - " + exporter))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("chat.yaml:4")
        .hasMessageContaining(part);
  }

  @Test
  void refusesTwoExportersOfOneName() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    exporters:
                      - {name: gpu, url: 'http://a/metrics'}
                      - {name: gpu, url: 'http://b/metrics'}
                    """))
        .hasMessageContaining("two exporters are named \"gpu\"");
  }

  private List<Exporter> read(String text) {
    try {
      Path file = Files.writeString(folder.resolve("chat.yaml"), GOOD + text);
      return ScenarioReader.read(file, List.of(), List.of()).exporters();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
