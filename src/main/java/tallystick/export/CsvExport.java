package tallystick.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/**
 * A run as tables for pandas, DuckDB or a spreadsheet: {@code requests.csv}, {@code chunks.csv} and
 * {@code scrapes.csv}. Times are seconds after the run's origin; an empty cell is unknown.
 */
public final class CsvExport {
  private static final double NANOS_PER_SECOND = 1e9;

  private final RunRows rows;

  /** An export of these rows. */
  public CsvExport(RunRows rows) {
    this.rows = rows;
  }

  /** Writes the tables into a folder and gives their paths. */
  public List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path requests = folder.resolve("requests.csv");
    Path chunks = folder.resolve("chunks.csv");
    Path scrapes = folder.resolve("scrapes.csv");
    try (BufferedWriter requestTable = Files.newBufferedWriter(requests, StandardCharsets.UTF_8);
        BufferedWriter chunkTable = Files.newBufferedWriter(chunks, StandardCharsets.UTF_8);
        BufferedWriter scrapeTable = Files.newBufferedWriter(scrapes, StandardCharsets.UTF_8)) {
      requestTable.write(
          "index,phase,class,user,target,request_id,intended_seconds,started_seconds,"
              + "written_seconds,headers_seconds,first_token_seconds,last_token_seconds,"
              + "ended_seconds,chunks,prompt_tokens,completion_tokens,cached_tokens,outcome,"
              + "status,finish_reason\n");
      chunkTable.write("request_index,arrival_seconds,tokens\n");
      scrapeTable.write("target,started_seconds,ended_seconds,name,labels,type,value,error\n");
      rows.eachRequest(row -> writeRequest(row, requestTable, chunkTable));
      rows.eachScrape(row -> writeScrape(row, scrapeTable));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return List.of(requests, chunks, scrapes);
  }

  private static void writeRequest(RequestRow row, Writer requests, Writer chunks) {
    RequestRow.Times times = row.times();
    RequestRow.Usage usage = row.usage();
    line(
        requests,
        row.index(), row.phase(), row.requestClass(), row.user(), row.target(), row.requestId(),
        time(times.intended()), time(times.started()), time(times.written()),
        time(times.headers()), time(row.firstTokenNanos()), time(row.lastTokenNanos()),
        time(times.ended()), row.chunks().size(), known(usage.promptTokens()),
        known(usage.completionTokens()), known(usage.cachedTokens()),
        row.ending().outcome().name().toLowerCase(Locale.ROOT), row.ending().status(),
        row.ending().finishReason());
    for (int i = 0; i < row.chunks().size(); i++) {
      long arrival = row.chunks().arrivalNanos()[i];
      line(chunks, row.index(), time(arrival), known(row.chunks().tokens()[i]));
    }
  }

  private static void writeScrape(ScrapeRow row, Writer scrapes) {
    if (!row.isGood()) {
      line(
          scrapes,
          row.target(), time(row.startedNanos()), time(row.endedNanos()), "", "", "", "",
          row.error());
    }
    for (Sample sample : row.samples()) {
      String labels =
          sample.series().labels().entrySet().stream()
              .map(label -> label.getKey() + "=" + label.getValue())
              .collect(Collectors.joining(";"));
      line(
          scrapes,
          row.target(), time(row.startedNanos()), time(row.endedNanos()), sample.series().name(),
          labels, sample.series().type().name().toLowerCase(Locale.ROOT),
          OpenMetricsExport.number(sample.value()), "");
    }
  }

  private static String time(long nanos) {
    return nanos == RequestRow.NEVER
        ? ""
        : String.format(Locale.ROOT, "%.9f", nanos / NANOS_PER_SECOND);
  }

  private static String known(int count) {
    return count == RequestRow.UNKNOWN ? "" : Integer.toString(count);
  }

  private static void line(Writer table, Object... cells) {
    try {
      char before = 0;
      for (Object cell : cells) {
        if (before != 0) {
          table.write(before);
        }
        table.write(quoted(cell.toString()));
        before = ',';
      }
      table.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String cell) {
    boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
