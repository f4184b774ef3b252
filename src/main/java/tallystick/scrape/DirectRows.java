package tallystick.scrape;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/** One scrape of a target's own exposition for each call. */
final class DirectRows implements RowSource {
  /** What every exporter understands and what keeps the colon in {@code vllm:}. */
  static final Map<String, String> HEADERS = Map.of("Accept", "text/plain;version=0.0.4");

  private static final int REDIRECT = 300;
  private static final int FAULT = 400;

  private final int target;
  private final MetricsUrl url;
  private final HttpFetch fetch;
  private final Origin origin;
  private final ExpositionParser parser = new ExpositionParser();

  DirectRows(int target, MetricsUrl url, HttpFetch fetch, Origin origin) {
    this.target = target;
    this.url = url;
    this.fetch = fetch;
    this.origin = origin;
  }

  @Override
  public List<ScrapeRow> next() throws InterruptedException {
    long started = origin.nanos();
    long ended;
    List<Sample> samples = List.of();
    String error = "";
    double date = Double.NaN;
    try {
      HttpAnswer answer = fetch.get(url.uri(), HEADERS);
      ended = origin.nanos();
      date = answer.dateUtcSeconds();
      samples = samples(answer, parser);
    } catch (IOException e) {
      ended = origin.nanos();
      error = e.getMessage();
    }
    return List.of(new ScrapeRow(target, started, ended, samples, error, seconds(date)));
  }

  private static long seconds(double date) {
    return Double.isNaN(date) ? ScrapeRow.NO_DATE : (long) date;
  }

  /**
   * The samples of an answer.
   *
   * @throws IOException if it is no exposition; its message is fit for a reader
   */
  static List<Sample> samples(HttpAnswer answer, ExpositionParser parser)
      throws IOException {
    if (answer.status() >= REDIRECT && answer.status() < FAULT) {
      throw new IOException(
          "HTTP " + answer.status() + " points to " + answer.header("location")
              + "; redirects are not followed, name that URL as metrics_url");
    }
    if (answer.status() != 200) {
      throw new IOException(answer.statusWords());
    }
    return parser.parse(answer.body(), answer.header("content-type"));
  }
}
