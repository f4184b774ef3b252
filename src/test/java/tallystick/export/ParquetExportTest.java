package tallystick.export;

import static org.assertj.core.api.Assertions.assertThat;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

class ParquetExportTest {
  @TempDir private Path folder;

  @Test
  void keepsTypesAndLeavesUnknownCellsNull() throws IOException {
    Series series = Series.of("a", Map.of("x", "1,\"2\"", "y", "3"), Series.Type.GAUGE);
    List<ScrapeRow> scrapes =
        List.of(
            new ScrapeRow(
                0, 1_500_000_000L, 1_600_000_000L,
                List.of(new Sample(series, Double.POSITIVE_INFINITY)), ""),
            new ScrapeRow(0, 2_000_000_000L, 2_000_000_000L, List.of(), "HTTP 503"));

    List<Path> written =
        new ParquetExport(
                MadeRows.record(0, List.of(MadeRows.request(7, 0, 1_000, 2_000, 3_000)), scrapes))
            .write(folder);

    assertThat(written)
        .extracting(Path::getFileName)
        .map(Path::toString)
        .containsExactly("requests.parquet", "chunks.parquet", "scrapes.parquet");
    assertThat(rows(written.get(0)).get(0))
        .containsEntry("index", 7L)
        .containsEntry("phase", "load")
        .containsEntry("first_token_seconds", 0.000002)
        .containsEntry("cached_tokens", null);
    assertThat(rows(written.get(1)))
        .extracting(row -> row.get("arrival_seconds"))
        .containsExactly(0.000002, 0.000003);
    assertThat(rows(written.get(2)).get(0))
        .containsEntry("labels", "x=1,\"2\";y=3")
        .containsEntry("value", Double.POSITIVE_INFINITY)
        .containsEntry("error", null);
    assertThat(rows(written.get(2)).get(1))
        .containsEntry("error", "HTTP 503")
        .containsEntry("name", null);
  }

  @Test
  void replacesWhatAnEarlierExportWrote() throws IOException {
    RunRows rows = MadeRows.record(0, List.of(MadeRows.request(7, 0, 1, 2)), List.of());

    new ParquetExport(rows).write(folder);
    new ParquetExport(rows).write(folder);

    assertThat(rows(folder.resolve("requests.parquet"))).hasSize(1);
  }

  private static List<Map<String, Object>> rows(Path file) throws IOException {
    try (Stream<Map<String, Object>> rows =
        ParquetReader.streamContent(file.toFile(), new ToMap())) {
      return rows.toList();
    }
  }

  private static final class ToMap
      implements Hydrator<Map<String, Object>, Map<String, Object>, String[]> {
    @Override
    public Map<String, Object> start() {
      return new HashMap<>();
    }

    @Override
    public Map<String, Object> add(Map<String, Object> row, String[] column, Object value) {
      row.put(column[0], value);
      return row;
    }

    @Override
    public Map<String, Object> finish(Map<String, Object> row) {
      return row;
    }
  }
}
