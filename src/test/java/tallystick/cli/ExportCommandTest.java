package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.exit.ExitCode;
import tallystick.runrecord.RecordReader;

/** Exports of the committed sample run. */
class ExportCommandTest {
  private static final String SAMPLE = "reports/sample";

  @TempDir private Path folder;

  @Test
  void openMetricsHoldsBothSidesAndEndsAsTheFormatAsks() throws IOException {
    CommandRun ran = export("openmetrics");

    assertThat(ran.code()).isZero();
    assertThat(ran.output()).contains("metrics.om");
    List<String> lines = Files.readAllLines(folder.resolve("metrics.om"));
    assertThat(lines.getLast()).isEqualTo("# EOF");
    assertThat(lines).anyMatch(line -> line.startsWith("vllm:generation_tokens_total{"));
    assertThat(lines).anyMatch(line -> line.startsWith("tally_requests_ended_total{"));
  }

  @Test
  void csvHasOneLineForEachRecordedRequest() throws IOException {
    CommandRun ran = export("csv");

    assertThat(ran.code()).isZero();
    long[] recorded = {0};
    RecordReader.open(Path.of(SAMPLE)).eachRequest(row -> recorded[0]++);
    assertThat(Files.readAllLines(folder.resolve("requests.csv")))
        .hasSize((int) recorded[0] + 1);
    assertThat(folder.resolve("exporters.csv")).doesNotExist();
  }

  @Test
  void parquetIsWrittenBesideIt() {
    CommandRun ran = export("parquet");

    assertThat(ran.code()).isZero();
    for (String table : List.of("requests", "chunks", "scrapes")) {
      assertThat(folder.resolve(table + ".parquet")).isNotEmptyFile();
    }
  }

  @Test
  void theReportOfLlmdHoldsTheAnalysisFiguresInItsUnits() throws IOException {
    CommandRun ran = export("llm-d");

    assertThat(ran.code()).isZero();
    ObjectMapper mapper = new ObjectMapper();
    JsonNode report = mapper.readTree(folder.resolve("benchmark_report.json").toFile());
    JsonNode ours = mapper.readTree(Path.of(SAMPLE, "analysis.json").toFile());
    assertThat(report.at("/version").asText()).isEqualTo("0.2");
    assertThat(report.at("/run/uid")).isEqualTo(ours.at("/run/run_id"));
    assertThat(report.at("/scenario/load/standardized/tool").asText()).isEqualTo("tally");
    JsonNode all = report.at("/results/request_performance/aggregate");
    assertThat(all.at("/requests/total")).isEqualTo(ours.at("/counts/sent"));
    JsonNode ttft = all.at("/latency/time_to_first_token");
    assertThat(ttft.at("/units").asText()).isEqualTo("s");
    assertThat(ttft.at("/mean")).isEqualTo(ours.at("/client/ttft_from_start/mean"));
    JsonNode percentiles = ours.at("/client/ttft_from_start/percentiles");
    assertThat(percentiles.at("/4/value").has("na")).isTrue();
    assertThat(ttft.at("/p95")).isEqualTo(percentiles.at("/2/value"));
    assertThat(ttft.has("p99p9")).isFalse();
    assertThat(all.at("/throughput/request_rate/units").asText()).isEqualTo("queries/s");
  }

  @Test
  void whatIsSimulatedSaysSoInTheReportOfLlmd() throws IOException {
    assertThat(reportWith("\"source\" : \"real\"", "\"source\" : \"embedded\""))
        .content()
        .contains("do not describe real hardware");
  }

  @Test
  void theReportOfLlmdTellsMadeUpPromptsFromGivenOnes() throws IOException {
    assertThat(reportWith("fitted_text", "token_ids")).content().contains("\"random\"");
    assertThat(reportWith("fitted_text", "given_text")).content().contains("\"sampled\"");
    assertThat(reportWith("fitted_text", "unknown"))
        .content()
        .contains("\"source\" : \"unknown\"");
  }

  /** The sample's report with one word of its manifest changed. */
  private Path reportWith(String from, String to) throws IOException {
    Path run = folder.resolve(to.replaceAll("\\W", ""));
    Path record = Files.createDirectories(run.resolve("record"));
    try (Stream<Path> files = Files.list(Path.of(SAMPLE, "record"))) {
      for (Path file : files.toList()) {
        Files.copy(file, record.resolve(file.getFileName()));
      }
    }
    Path manifest = record.resolve("manifest.json");
    String text = Files.readString(manifest);
    assertThat(text).contains(from);
    Files.writeString(manifest, text.replace(from, to));

    assertThat(CommandRun.of("export", run.toString(), "--format", "llmd").code()).isZero();
    return run.resolve("export/benchmark_report.json");
  }

  @Test
  void anUnknownFormatIsAMistakeThatNamesTheKnownOnes() {
    CommandRun ran = export("arrow");

    assertThat(ran.code()).isEqualTo(ExitCode.USER_MISTAKE.number());
    assertThat(ran.output()).contains("[openmetrics, csv, parquet, llm-d]");
  }

  @Test
  void theFolderIsNamedAsInEveryOtherCommand() {
    CommandRun ran =
        CommandRun.of("export", SAMPLE, "--format", "csv", "--out", folder.toString());

    assertThat(ran.code()).as(ran.output()).isZero();
    assertThat(folder.resolve("requests.csv")).isNotEmptyFile();
  }

  @Test
  void aFolderWithoutARecordIsNamed() {
    CommandRun ran = CommandRun.of("export", folder.toString(), "--format", "csv");

    assertThat(ran.code()).isEqualTo(ExitCode.USER_MISTAKE.number());
    assertThat(ran.output()).contains("holds no run record");
  }

  private CommandRun export(String format) {
    return CommandRun.of(
        "export", SAMPLE, "--format", format, "--output", folder.toString());
  }
}
