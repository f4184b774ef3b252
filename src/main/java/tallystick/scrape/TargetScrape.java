package tallystick.scrape;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/** Scrapes one target, one scrape at a time, and hands each row on in the order of its start. */
final class TargetScrape {
  /** What every exporter understands and what keeps the colon in {@code vllm:}. */
  static final Map<String, String> HEADERS = Map.of("Accept", "text/plain;version=0.0.4");

  private static final int REDIRECT = 300;
  private static final int FAULT = 400;

  private final int target;
  private final URI uri;
  private final HttpFetch fetch;
  private final RunClock clock;
  private final Consumer<ScrapeRow> sink;
  private final ExpositionParser parser = new ExpositionParser();
  private volatile ScrapeRow latest;

  TargetScrape(
      int target, URI uri, HttpFetch fetch, RunClock clock, Consumer<ScrapeRow> sink) {
    this.target = target;
    this.uri = uri;
    this.fetch = fetch;
    this.clock = clock;
    this.sink = sink;
  }

  /** The newest row; null inside this room before the first one. */
  ScrapeRow latest() {
    return latest;
  }

  /** One scrape, from the GET to the row in the sink. */
  synchronized ScrapeRow scrape() throws InterruptedException {
    long started = clock.nanos();
    long ended;
    List<Sample> samples = List.of();
    String error = "";
    try {
      HttpFetch.Answer answer = fetch.get(uri, HEADERS);
      ended = clock.nanos();
      samples = samples(answer, parser);
    } catch (IOException e) {
      ended = clock.nanos();
      error = e.getMessage();
    }
    ScrapeRow row = new ScrapeRow(target, started, ended, samples, error);
    latest = row;
    sink.accept(row);
    return row;
  }

  /**
   * The samples of an answer.
   *
   * @throws IOException if it is no exposition; its message is fit for a reader
   */
  static List<Sample> samples(HttpFetch.Answer answer, ExpositionParser parser)
      throws IOException {
    if (answer.status() >= REDIRECT && answer.status() < FAULT) {
      throw new IOException(
          "HTTP " + answer.status() + " points to " + answer.header("location")
              + "; redirects are not followed, name that URL as metrics_url");
    }
    if (answer.status() != 200) {
      throw new IOException("HTTP " + answer.status());
    }
    return parser.parse(answer.body(), answer.header("content-type"));
  }
}
