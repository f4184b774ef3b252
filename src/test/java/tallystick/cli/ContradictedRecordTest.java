package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;

/** A record in which one figure was changed contradicts itself, and says so. */
class ContradictedRecordTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path parent;
  private static Path run;

  @BeforeAll
  static void play() throws IOException {
    run =
        PlantedRun.of(
                "{arrival: poisson, rate: 12, prompt_tokens: {uniform: [100, 400]},"
                    + " output_tokens: {uniform: [20, 120]}}",
                60)
            .folder(parent, 5);
  }

  @Test
  void anUnchangedRecordContradictsNothing() throws IOException {
    RunAnalysis found = Analyzer.analyze(RecordReader.open(run));
    assertThat(codes(found))
        .doesNotContain(
            Code.IMPOSSIBLE_HISTOGRAM, Code.GAUGE_CONTRADICTS, Code.ROWS_CONTRADICT,
            Code.RECORD_DAMAGED);
    assertThat(found.comparisons())
        .allMatch(one -> one.verdict() == Comparison.Verdict.EXPLAINED);
  }

  @ParameterizedTest
  @CsvSource({
    "vllm:request_time_per_output_token_seconds_sum, 0.9",
    "vllm:request_prefill_time_seconds_sum, 1.2",
    "vllm:time_to_first_token_seconds_sum, 0.4",
    "vllm:e2e_request_latency_seconds_sum, 0.9"
  })
  void noComparisonRestsOnAnEngineThatContradictsItself(String series, double times)
      throws IOException {
    RunAnalysis found = changed("scrapes.ndjson", text -> scaled(text, series, times));
    assertThat(codes(found)).contains(Code.IMPOSSIBLE_HISTOGRAM);
    assertThat(found.comparisons())
        .noneMatch(one -> one.verdict() == Comparison.Verdict.EXPLAINED);
  }

  /** Every family that this engine observes for each request. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "time_to_first_token_seconds", "inter_token_latency_seconds",
        "request_time_per_output_token_seconds", "e2e_request_latency_seconds",
        "request_queue_time_seconds", "request_prefill_time_seconds",
        "request_decode_time_seconds", "request_inference_time_seconds",
        "request_prompt_tokens", "request_generation_tokens"
      })
  void aHistogramOfZerosBesideThoseThatMovedIsTold(String family) throws IOException {
    RunAnalysis found =
        changed(
            "scrapes.ndjson",
            text -> {
              String zeros = text;
              for (String part : List.of("_bucket", "_sum", "_count")) {
                zeros = scaled(zeros, "vllm:" + family + part, 0);
              }
              return zeros;
            });
    assertThat(Usability.of(found).isForVerdicts()).as(codes(found).toString()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 0.7})
  void aGaugeThatItsOwnEngineContradictsIsTold(double times) throws IOException {
    RunAnalysis found =
        changed("scrapes.ndjson", text -> scaled(text, "vllm:num_requests_running", times));
    assertThat(codes(found))
        .contains(Code.GAUGE_CONTRADICTS)
        .doesNotContain(Code.IMPOSSIBLE_HISTOGRAM);
  }

  @Test
  void anEngineThatSaysItIsSimulatedIsNotReal() throws IOException {
    RunAnalysis found =
        changed("manifest.json", text -> text.replace("\"virtual\"", "\"real\""));
    assertThat(codes(found)).contains(Code.RECORD_DAMAGED);
  }

  @Test
  void whoeverLeftHasNoWholeAnswer() throws IOException {
    RunAnalysis found =
        changed(
            "requests.ndjson",
            text ->
                text.replaceFirst(
                    "(?s)^(.*)\"outcome\":\"ok\"", "$1\"outcome\":\"client_cancelled\""));
    assertThat(codes(found)).contains(Code.ROWS_CONTRADICT);
  }

  private static RunAnalysis changed(String name, UnaryOperator<String> change)
      throws IOException {
    Path file = RecordFiles.ofRun(run).requests().resolveSibling(name);
    String whole = Files.readString(file);
    String other = change.apply(whole);
    assertThat(other).isNotEqualTo(whole);
    Files.writeString(file, other);
    try {
      return Analyzer.analyze(RecordReader.open(run));
    } finally {
      Files.writeString(file, whole);
    }
  }

  private static String scaled(String text, String name, double times) {
    List<Integer> series = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (String line : text.lines().toList()) {
      JsonNode row = CommandRun.json(line);
      if (row.path("name").asText().equals(name)) {
        series.add(row.path("series").asInt());
      }
      if (row.path("value") instanceof ArrayNode values) {
        for (int i = 0; i < values.size(); i++) {
          if (series.contains(row.path("id").get(i).asInt())) {
            values.set(i, JSON.getNodeFactory().numberNode(values.get(i).asDouble() * times));
          }
        }
      }
      all.append(row).append('\n');
    }
    return all.toString();
  }

  private static List<Code> codes(RunAnalysis found) {
    return found.findings().stream().map(Finding::code).toList();
  }
}
