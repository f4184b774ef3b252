package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void anUnknownFormatIsAMistakeThatNamesTheKnownOnes() {
    CommandRun ran = export("arrow");

    assertThat(ran.code()).isEqualTo(ExitCode.USER_MISTAKE.number());
    assertThat(ran.output()).contains("openmetrics, csv, parquet");
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
