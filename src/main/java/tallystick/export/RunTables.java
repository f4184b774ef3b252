package tallystick.export;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/**
 * A run as tables: requests, their chunks, the engine's samples, and those of the exporters where
 * there are any. Times are seconds after the run's origin; a cell of null is unknown.
 */
final class RunTables {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final List<Field> REQUESTS =
      List.of(
          new Field(Column.whole("index"), row -> (long) row.index()),
          new Field(Column.text("phase"), RequestRow::phase),
          new Field(Column.text("class"), RequestRow::requestClass),
          new Field(Column.whole("user"), row -> (long) row.user()),
          new Field(Column.whole("target"), row -> (long) row.target()),
          new Field(Column.text("request_id"), RequestRow::requestId),
          new Field(Column.seconds("intended_seconds"), row -> time(row.times().intended())),
          new Field(Column.seconds("started_seconds"), row -> time(row.times().started())),
          new Field(Column.seconds("written_seconds"), row -> time(row.times().written())),
          new Field(Column.seconds("headers_seconds"), row -> time(row.times().headers())),
          new Field(Column.seconds("first_token_seconds"), row -> time(row.firstTokenNanos())),
          new Field(Column.seconds("answer_seconds"), row -> time(row.answerNanos())),
          new Field(Column.seconds("last_token_seconds"), row -> time(row.lastTokenNanos())),
          new Field(Column.seconds("ended_seconds"), row -> time(row.times().ended())),
          new Field(Column.seconds("ttft_seconds"), row -> since(row, row.firstTokenNanos())),
          new Field(
              Column.seconds("tpot_seconds"), row -> ifGood(row, time(row.timePerTokenNanos()))),
          new Field(
              Column.seconds("e2e_seconds"), row -> ifGood(row, since(row, row.lastTokenNanos()))),
          new Field(Column.whole("chunks"), row -> (long) row.chunks().size()),
          new Field(Column.whole("prompt_tokens"), row -> known(row.usage().promptTokens())),
          new Field(
              Column.whole("completion_tokens"), row -> known(row.usage().completionTokens())),
          new Field(Column.whole("cached_tokens"), row -> known(row.usage().cachedTokens())),
          new Field(Column.whole("thinking_tokens"), row -> known(row.thinkingTokens())),
          new Field(Column.text("outcome"), row -> word(row.ending().outcome())),
          new Field(Column.whole("status"), row -> status(row.ending())),
          new Field(Column.text("finish_reason"), row -> finishReason(row.ending())),
          new Field(Column.text("oddities"), row -> oddities(row.ending())));

  private static final List<Column> CHUNKS =
      List.of(
          Column.whole("request_index"), Column.seconds("arrival_seconds"),
          Column.whole("tokens"));

  private static final List<Column> SAMPLES =
      List.of(
          Column.seconds("started_seconds"), Column.seconds("ended_seconds"),
          Column.text("name"), Column.text("labels"), Column.text("type"),
          Column.number("value"), Column.text("error"));

  private final RunRows rows;
  private final Path folder;
  private final String ending;
  private final Format format;
  private final Map<Path, Sink> open = new LinkedHashMap<>();

  RunTables(RunRows rows, Path folder, String ending, Format format) {
    this.rows = rows;
    this.folder = folder;
    this.ending = ending;
    this.format = format;
  }

  /** What the cells of a column are. */
  enum Kind {
    TEXT,
    WHOLE,
    NUMBER,
    SECONDS
  }

  /** A column of a table. */
  record Column(String name, Kind kind) {
    static Column text(String name) {
      return new Column(name, Kind.TEXT);
    }

    static Column whole(String name) {
      return new Column(name, Kind.WHOLE);
    }

    static Column number(String name) {
      return new Column(name, Kind.NUMBER);
    }

    static Column seconds(String name) {
      return new Column(name, Kind.SECONDS);
    }
  }

  /** A column of the requests, and its cell of a row; null where it is unknown. */
  private record Field(Column column, Function<RequestRow, Object> cell) {}

  /** Takes a row: a String, a Long or a Double for each column, or null where it is unknown. */
  interface Rows {
    void take(List<Object> cells) throws IOException;
  }

  /** One table being written. */
  record Sink(Rows rows, Closeable file) {}

  /** A kind of file that holds a table. */
  interface Format {
    Sink open(Path file, List<Column> columns) throws IOException;
  }

  /** Writes all tables and gives their paths. */
  List<Path> write() throws IOException {
    Files.createDirectories(folder);
    try {
      Sink requests = sink("requests", REQUESTS.stream().map(Field::column).toList());
      Sink chunks = sink("chunks", CHUNKS);
      Sink scrapes = sink("scrapes", headed(Column.whole("target")));
      rows.eachRequest(row -> writeRequest(row, requests, chunks));
      rows.eachScrape(row -> writeScrape((long) row.target(), row, scrapes));
      rows.eachExporterScrape(this::writeExporter);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      close();
    }
    return List.copyOf(open.keySet());
  }

  /** The table of the exporters is there only where one was scraped. */
  private void writeExporter(ScrapeRow row) {
    try {
      Sink sink = sink("exporters", headed(Column.text("exporter")));
      writeScrape(rows.settings().exporters().get(row.target()).name(), row, sink);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Column> headed(Column first) {
    List<Column> columns = new ArrayList<>(List.of(first));
    columns.addAll(SAMPLES);
    return columns;
  }

  private Sink sink(String table, List<Column> columns) throws IOException {
    Path file = folder.resolve(table + ending);
    Sink known = open.get(file);
    if (known == null) {
      known = format.open(file, columns);
      open.put(file, known);
    }
    return known;
  }

  private void close() throws IOException {
    IOException failure = null;
    for (Sink sink : open.values()) {
      try {
        sink.file().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void writeRequest(RequestRow row, Sink requests, Sink chunks) {
    put(requests, REQUESTS.stream().map(field -> field.cell().apply(row)).toArray());
    for (int i = 0; i < row.chunks().size(); i++) {
      long arrival = row.chunks().arrivalNanos()[i];
      put(chunks, (long) row.index(), time(arrival), known(row.chunks().tokens()[i]));
    }
  }

  private static Long status(RequestRow.Ending ending) {
    return ending.status() > 0 ? Long.valueOf(ending.status()) : null;
  }

  private static String finishReason(RequestRow.Ending ending) {
    return ending.finishReason().isEmpty() ? null : ending.finishReason();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String oddities(RequestRow.Ending ending) {
    return ending.oddities().isEmpty()
        ? null
        : ending.oddities().stream()
            .map(RunTables::word)
            .collect(Collectors.joining(";"));
  }

  private static void writeScrape(Object owner, ScrapeRow row, Sink scrapes) {
    Double started = time(row.startedNanos());
    Double ended = time(row.endedNanos());
    if (!row.isGood()) {
      put(scrapes, owner, started, ended, null, null, null, null, row.error());
    }
    for (Sample sample : row.samples()) {
      String labels =
          sample.series().labels().entrySet().stream()
              .map(label -> label.getKey() + "=" + label.getValue())
              .collect(Collectors.joining(";"));
      put(
          scrapes,
          owner, started, ended, sample.series().name(), labels,
          word(sample.series().type()), sample.value(), null);
    }
  }

  // From when it should have been sent, as the report counts it.
  private static Double since(RequestRow row, long nanos) {
    return nanos == RequestRow.NEVER ? null : time(nanos - row.times().intended());
  }

  private static Double ifGood(RequestRow row, Double figure) {
    return row.ending().outcome() == Outcome.OK ? figure : null;
  }

  private static Double time(long nanos) {
    return nanos == RequestRow.NEVER ? null : nanos / NANOS_PER_SECOND;
  }

  private static Long known(int count) {
    return count == RequestRow.UNKNOWN ? null : Long.valueOf(count);
  }

  private static void put(Sink sink, Object... cells) {
    try {
      sink.rows().take(Arrays.asList(cells));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
