package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnalysisJsonTest {
  @Test
  void putsTheVerdictWhereProgramsLookForIt() throws IOException {
    JsonNode verdict = written().path("reconciliation").path("verdict");
    assertThat(verdict.asText()).isEqualTo("reconciled_with_tolerance");
  }

  @Test
  void keepsTheOrderOfTheComponents() throws IOException {
    List<String> names = new ArrayList<>();
    written().fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .startsWith(
            "format_version", "run", "findings", "counts", "client", "engine", "reconciliation");
  }

  @Test
  void writesTheSameBytesForTheSameAnalysis() throws IOException {
    assertThat(text()).isEqualTo(text());
  }

  @Test
  void writesAKnownFigureAsANumberAndAMissingOneWithItsReason() throws IOException {
    JsonNode percentiles = written().at("/client/ttft_from_intended/percentiles");
    assertThat(percentiles.at("/2/level").asDouble()).isEqualTo(0.95);
    assertThat(percentiles.at("/2/value").asDouble()).isEqualTo(1.42);
    assertThat(percentiles.at("/3/value/na").asText()).isEqualTo("n=240, need 368");
  }

  @Test
  void writesInfinityAsPrometheusDoesAndAHoleAsNull() throws IOException {
    JsonNode json = written();
    assertThat(json.at("/engine/distributions/ttft/buckets/4/edge").asText()).isEqualTo("+Inf");
    assertThat(json.at("/timeline/client/0/values/50").isNull()).isTrue();
  }

  @Test
  void writesEnumsInLowerCaseAndNoMethodAsAField() throws IOException {
    JsonNode json = written();
    assertThat(json.at("/run/source").asText()).isEqualTo("embedded");
    assertThat(json.at("/objectives/1/objective/metric").asText()).isEqualTo("largest_gap");
    assertThat(text()).doesNotContain("simulated\"").doesNotContain("NaN").doesNotContain("Infin");
  }

  private static JsonNode written() throws IOException {
    return new ObjectMapper().readTree(text());
  }

  private static String text() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AnalysisJson.write(SampleAnalysis.of(), out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
