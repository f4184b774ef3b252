package tallystick.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

class CsvExportTest {
  @TempDir private Path folder;

  @Test
  void writesOneLinePerRequestChunkAndSample() throws IOException {
    Series series = Series.of("a", Map.of("x", "1,\"2\"", "y", "3"), Series.Type.GAUGE);
    List<ScrapeRow> scrapes =
        List.of(
            new ScrapeRow(0, 1_500_000_000L, 1_600_000_000L, List.of(new Sample(series, 2)), ""),
            new ScrapeRow(0, 2_000_000_000L, 2_000_000_000L, List.of(), "HTTP 503"));
    new CsvExport(
            MadeRows.record(0, List.of(MadeRows.request(7, 0, 1_000, 2_000, 3_000)), scrapes), true)
        .write(folder);
    assertThat(Files.readAllLines(folder.resolve("requests.csv")).get(1))
        .isEqualTo(
            "7,load,default,7,0,run-7,0.000000000,0.000001000,0.000001000,0.000001000,"
                + "0.000002000,0.000002000,0.000003000,0.000003000,"
                + "0.000002000,0.000001000,0.000003000,2,10,2,,0,ok,200,length,"
                + "resent;usage_missing");
    assertThat(Files.readAllLines(folder.resolve("chunks.csv")))
        .containsExactly(
            "request_index,arrival_seconds,tokens", "7,0.000002000,1", "7,0.000003000,1");
    assertThat(Files.readAllLines(folder.resolve("scrapes.csv")))
        .endsWith(
            "0,1.500000000,1.600000000,a,\"x=1,\"\"2\"\";y=3\",gauge,2.0,",
            "0,2.000000000,2.000000000,,,,,HTTP 503");
  }

  @Test
  void aTextThatASpreadsheetWouldRunIsMadeHarmlessAndANumberStaysOne() throws IOException {
    Series series = Series.of("a", Map.of(), Series.Type.GAUGE);
    List<ScrapeRow> scrapes = new ArrayList<>();
    scrapes.add(new ScrapeRow(0, 1, 2, List.of(new Sample(series, -1.5)), ""));
    for (String error : List.of("=1+1", "+1", "-1.5", "@a", "\ta", "\ra", "'a", "a=b")) {
      scrapes.add(new ScrapeRow(0, 1, 2, List.of(), error));
    }
    new CsvExport(MadeRows.record(0, List.of(), scrapes), true).write(folder.resolve("a"));
    assertThat(Files.readString(folder.resolve("a/scrapes.csv")))
        .contains("a,,gauge,-1.5,\n")
        .contains(",'=1+1\n", ",'+1\n", ",'-1.5\n", ",'@a\n", ",'\ta\n", ",\"'\ra\"\n")
        .contains(",'a\n", ",a=b\n");
    new CsvExport(MadeRows.record(0, List.of(), scrapes), false).write(folder.resolve("b"));
    assertThat(Files.readString(folder.resolve("b/scrapes.csv")))
        .contains(",=1+1\n", ",-1.5\n", ",@a\n");
  }
}
