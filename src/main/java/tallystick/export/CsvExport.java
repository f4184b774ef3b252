package tallystick.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.export.RunTables.Column;
import tallystick.export.RunTables.Kind;
import tallystick.runrecord.RunRows;

/**
 * A run as tables for pandas, DuckDB or a spreadsheet: {@code requests.csv}, {@code chunks.csv},
 * {@code scrapes.csv} and, where exporters were scraped, {@code exporters.csv}. Times are seconds
 * after the run's origin; an empty cell is unknown.
 */
public final class CsvExport {
  private final RunRows rows;

  /** An export of these rows. */
  public CsvExport(RunRows rows) {
    this.rows = rows;
  }

  /** Writes the tables into a folder and gives their paths. */
  public List<Path> write(Path folder) throws IOException {
    return new RunTables(rows, folder, new Csv()).write();
  }

  private static final class Csv implements RunTables.Format {
    @Override
    public String ending() {
      return ".csv";
    }

    @Override
    public RunTables.Sink open(Path file, List<Column> columns) throws IOException {
      BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
      out.write(columns.stream().map(Column::name).collect(Collectors.joining(",")) + "\n");
      return new Table(out, columns);
    }
  }

  private record Table(BufferedWriter out, List<Column> columns) implements RunTables.Sink {
    @Override
    public void row(List<Object> cells) throws IOException {
      for (int i = 0; i < cells.size(); i++) {
        if (i > 0) {
          out.write(',');
        }
        out.write(text(cells.get(i), columns.get(i).kind()));
      }
      out.write('\n');
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static String text(Object cell, Kind kind) {
    if (cell == null) {
      return "";
    }
    return switch (kind) {
      case TEXT -> quoted((String) cell);
      case WHOLE -> cell.toString();
      case NUMBER -> OpenMetricsText.number((Double) cell);
      // Nine decimals are whole nanoseconds, as recorded.
      case SECONDS -> String.format(Locale.ROOT, "%.9f", (Double) cell);
    };
  }

  private static String quoted(String cell) {
    boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
