package tallystick.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.export.RunTables.Column;
import tallystick.export.RunTables.Kind;
import tallystick.runrecord.RunRows;

/**
 * A run as tables for pandas, DuckDB or a spreadsheet: {@code requests.csv}, {@code chunks.csv},
 * {@code scrapes.csv} and, where exporters were scraped, {@code exporters.csv}. Times are seconds
 * after the run's origin; an empty cell is unknown.
 *
 * @param isForSpreadsheets whether a text that a spreadsheet would run as a formula is made
 *     harmless by an apostrophe before it; else each cell is the text itself
 */
public record CsvExport(RunRows rows, boolean isForSpreadsheets) {
  private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r]");

  /** Writes the tables into a folder and gives their paths. */
  public List<Path> write(Path folder) throws IOException {
    return new RunTables(rows, folder, ".csv", this::open).write();
  }

  private RunTables.Sink open(Path file, List<Column> columns) throws IOException {
    BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    out.write(columns.stream().map(Column::name).collect(Collectors.joining(",")) + "\n");
    return new RunTables.Sink(
        cells -> {
          StringJoiner line = new StringJoiner(",", "", "\n");
          for (int i = 0; i < cells.size(); i++) {
            line.add(text(cells.get(i), columns.get(i).kind()));
          }
          out.write(line.toString());
        },
        out);
  }

  private String text(Object cell, Kind kind) {
    if (cell == null) {
      return "";
    }
    return switch (kind) {
      case TEXT -> quoted(isForSpreadsheets ? harmless((String) cell) : (String) cell);
      case WHOLE -> cell.toString();
      case NUMBER -> OpenMetricsText.number((Double) cell);
      // Nine decimals are whole nanoseconds, as recorded.
      case SECONDS -> String.format(Locale.ROOT, "%.9f", (Double) cell);
    };
  }

  /** Excel, Calc and Sheets take such a text for a formula, and a stranger may have written it. */
  private static String harmless(String cell) {
    return FORMULA.matcher(cell).lookingAt() ? "'" + cell : cell;
  }

  private static String quoted(String cell) {
    boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
