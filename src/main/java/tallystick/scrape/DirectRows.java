package tallystick.scrape;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/** One scrape of a target's own exposition for each call. */
record DirectRows(
    int target, MetricsUrl url, HttpFetch fetch, RunClock clock, ExpositionParser parser)
    implements RowSource {
  /** What every exporter understands and what keeps the colon in {@code vllm:} and the like. */
  private static final Map<String, String> HEADERS = Map.of("Accept", "text/plain;version=0.0.4");

  private static final int REDIRECT = 300; // HTTP: 300 to 399
  private static final int FAULT = 400; // HTTP: from 400 on
  private static final int EXCERPT = 512; // bytes that tell HTML or JSON

  DirectRows(int target, MetricsUrl url, HttpFetch fetch, RunClock clock) {
    this(target, url, fetch, clock, new ExpositionParser(url.redaction()));
  }

  @Override
  public List<ScrapeRow> next() throws InterruptedException {
    long started = clock.nanos();
    long ended;
    List<Sample> samples = List.of();
    String error = "";
    double date = Double.NaN;
    int repeated = 0;
    try {
      HttpAnswer answer = ask(url, fetch);
      ended = clock.nanos();
      date = answer.dateUtcSeconds();
      samples = samples(answer, url, parser);
      repeated = parser.duplicates();
    } catch (IOException e) {
      ended = clock.nanos();
      error = url.words(e);
    }
    return List.of(new ScrapeRow(target, started, ended, samples, error, seconds(date), repeated));
  }

  private static long seconds(double date) {
    return Double.isNaN(date) ? ScrapeRow.NO_DATE : (long) date;
  }

  /** Asks for an exposition. */
  static HttpAnswer ask(MetricsUrl url, HttpFetch fetch) throws IOException, InterruptedException {
    return fetch.get(url.uri(), url.credentials().with(HEADERS));
  }

  /**
   * The samples of an answer.
   *
   * @throws IOException if it is no exposition; its message is fit for a reader
   */
  static List<Sample> samples(HttpAnswer answer, MetricsUrl url, ExpositionParser parser)
      throws IOException {
    if (answer.status() >= REDIRECT && answer.status() < FAULT) {
      throw new IOException(
          "HTTP " + answer.status() + " points to " + answer.header("location")
              + "; redirects are not followed, name that URL as metrics_url");
    }
    if (answer.status() != 200) {
      throw new IOException(answer.statusWords(url.credentials()));
    }
    String type = answer.header("content-type");
    try {
      return parser.parse(answer.hasEnd() ? withLastFeed(answer.body()) : answer.body(), type);
    } catch (ExpositionException e) {
      throw new IOException(otherKind(answer.body(), type) + e.getMessage(), e);
    }
  }

  /**
   * Prometheus too takes a last line without a line feed, where it is known to be whole. A length
   * that a server counts in characters is too short for a text with others than ASCII's.
   */
  private static byte[] withLastFeed(byte[] body) {
    boolean isEnded = body.length == 0 || body[body.length - 1] == '\n';
    for (int at = 0; at < body.length && !isEnded; at++) {
      isEnded = body[at] < 0;
    }
    if (isEnded) {
      return body;
    }
    byte[] ended = Arrays.copyOf(body, body.length + 1);
    ended[body.length] = '\n';
    return ended;
  }

  /** What a body that is no exposition is; empty where that cannot be told. */
  private static String otherKind(byte[] body, String contentType) {
    int length = Math.min(body.length, EXCERPT);
    String begin = new String(body, 0, length, StandardCharsets.UTF_8).strip();
    String type = contentType.toLowerCase(Locale.ROOT);
    if (type.contains("html") || begin.startsWith("<") || begin.startsWith("\uFEFF<")) {
      return "that is a web page (HTML) and no metrics: ";
    }
    return type.contains("json") || begin.startsWith("[") ? "that is JSON and no metrics: " : "";
  }
}
