package tallystick.scrape;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tallystick.reach.Redaction;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/**
 * An exposition in a file: a copy of {@code /metrics}, which is one scrape each time it is read, or
 * a file with timestamps, of which each timestamp is a row.
 */
final class FileRows implements RowSource {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final byte[] MARK = "# EOF".getBytes(StandardCharsets.US_ASCII);

  private final int target;
  private final Path file;
  private final Redaction redaction;
  private final RunClock clock;
  private long lastStarted = Long.MIN_VALUE;

  FileRows(int target, MetricsUrl url, RunClock clock) {
    this.target = target;
    this.file = Path.of(url.uri());
    this.redaction = url.redaction();
    this.clock = clock;
  }

  @Override
  public List<ScrapeRow> next() {
    long asked = clock.nanos();
    try {
      List<ScrapeRow> rows = new ArrayList<>();
      scrapes(asked)
          .tailMap(lastStarted + 1)
          .forEach(
              (started, samples) -> rows.add(new ScrapeRow(target, started, started, samples, "")));
      if (rows.isEmpty() && lastStarted == Long.MIN_VALUE) {
        return failed(asked, file + " holds no samples");
      }
      lastStarted = rows.isEmpty() ? lastStarted : rows.getLast().startedNanos();
      return rows;
    } catch (NoSuchFileException e) {
      return failed(asked, file + ": there is no such file");
    } catch (IOException e) {
      return failed(asked, redaction.of(String.valueOf(e.getMessage())));
    }
  }

  private List<ScrapeRow> failed(long asked, String error) {
    return List.of(new ScrapeRow(target, asked, clock.nanos(), List.of(), error));
  }

  private SortedMap<Long, List<Sample>> scrapes(long asked) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(file + " is not a regular file");
    }
    if (Files.exists(file) && Files.size(file) > Integer.MAX_VALUE - 8) {
      throw new IOException(file + " is larger than 2 GiB");
    }
    byte[] body = Files.readAllBytes(file);
    SortedMap<Long, List<Sample>> scrapes = new TreeMap<>();
    new ExpositionParser(redaction)
        .parse(
            body,
            isOpenMetrics(body) ? "application/openmetrics-text" : "text/plain",
            (sample, time) ->
                scrapes.computeIfAbsent(started(time, asked), t -> new ArrayList<>()).add(sample));
    return scrapes;
  }

  private long started(double seconds, long asked) {
    return Double.isNaN(seconds)
        ? asked
        : Math.round(seconds * MILLIS_PER_SECOND) * NANOS_PER_MILLI - clock.originUtcNanos();
  }

  /** A file has no content type, but OpenMetrics ends with a mark. */
  private static boolean isOpenMetrics(byte[] body) {
    int end = body.length;
    while (end > 0 && body[end - 1] == '\n') {
      end--;
    }
    int from = end - MARK.length;
    return from >= 0 && Arrays.equals(body, from, end, MARK, 0, MARK.length);
  }
}
