package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tallystick.scenario.Target;

/**
 * What a Prometheus remembers, asked by expressions that it evaluates itself. A long range is asked
 * for in pieces, which become shorter where one is too much for the server or for us.
 */
public final class PrometheusHistory implements AutoCloseable {
  /** Prometheus refuses a query of more points for each series. */
  public static final int MOST_POINTS = 11_000;

  /** A piece of fewer points that is still too much will not be answered at all. */
  private static final int LEAST_POINTS = 20;

  /** Who watches gives up sooner than the two minutes of Prometheus; a shorter piece may do. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** As JSON in memory it takes ten times as much. */
  private static final int MOST_BYTES = 8 << 20;

  private final MetricsUrl url;
  private final HttpFetch fetch;
  private final PrometheusApi api;
  private int points = MOST_POINTS;

  /**
   * The values of one series.
   *
   * @param millis when, UTC
   */
  public record Line(Map<String, String> labels, long[] millis, double[] values) {}

  /** Takes the values of one piece of the range, from its first to its last moment. */
  @FunctionalInterface
  public interface Piece {
    void take(long fromMillis, long toMillis, List<Line> lines) throws IOException;
  }

  /**
   * One to ask.
   *
   * @param base its URL, without {@code /api/v1}
   */
  public PrometheusHistory(String base, MetricsAccess access) {
    this.url = access.of(new Target(base, base.replaceFirst("/+$", "") + Target.QUERY_API, 1));
    this.fetch = new HttpFetch(PATIENCE, MOST_BYTES, access.caFile());
    this.api = new PrometheusApi(url, fetch);
  }

  /** The time by its own clock, in UTC milliseconds. */
  public long nowMillis() throws IOException, InterruptedException {
    return Math.round(1000 * number(asked(() -> api.now("time()")).path(1)));
  }

  /** The names of all metrics it has. */
  public List<String> names() throws IOException, InterruptedException {
    JsonNode names = asked(api::names);
    if (!names.isArray()) {
      throw isNot("a list of names");
    }
    return names.valueStream().map(JsonNode::asText).toList();
  }

  /**
   * An expression's values at each step of a range, both ends included, in the order of time.
   *
   * @throws RefusedQueryException if this expression is not answered
   */
  public void range(String query, long from, long to, long step, Piece piece)
      throws IOException, InterruptedException {
    for (long at = from; at <= to; ) {
      long last = Math.min(to, at + (points - 1L) * step);
      long begin = at;
      long begun = System.nanoTime();
      try {
        piece.take(at, last, lines(asked(() -> api.range(query, begin, last, step))));
        at = last + step;
      } catch (IOException e) {
        boolean isLarge =
            e instanceof RefusedQueryException refused && refused.isTooLarge()
                || e.getMessage().startsWith(HttpFetch.TOO_LARGE)
                || e.getMessage().contains("timed out")
                || System.nanoTime() - begun >= PATIENCE.toNanos();
        long asked = (last - at) / step + 1;
        if (!isLarge || asked <= LEAST_POINTS) {
          throw e;
        }
        points = (int) Math.max(LEAST_POINTS, asked / 4);
      }
    }
  }

  private interface Question {
    JsonNode ask() throws IOException, InterruptedException;
  }

  /** A server that restarts, or that has too much to do, is asked once more. */
  private JsonNode asked(Question question) throws IOException, InterruptedException {
    try {
      return question.ask();
    } catch (RefusedQueryException e) {
      throw e;
    } catch (IOException e) {
      if (!e.getMessage().contains("HTTP 503") || e.getMessage().contains("timed out")) {
        throw new IOException(url.words(e), e);
      }
      TimeUnit.SECONDS.sleep(1);
      return question.ask();
    }
  }

  /** What to throw when it answers, but not what it should. */
  public static IOException isNot(String what) {
    return new IOException("the Prometheus answered with something that is not " + what);
  }

  private static double number(JsonNode value) throws IOException {
    try {
      return ExpositionNumber.parse(value.asText());
    } catch (IllegalArgumentException e) {
      throw isNot("a number: '" + value.asText() + "'");
    }
  }

  private List<Line> lines(JsonNode result) throws IOException {
    if (!result.isArray()) {
      throw isNot("a list of series");
    }
    List<Line> lines = new ArrayList<>();
    for (JsonNode series : result) {
      Map<String, String> labels = new TreeMap<>();
      series.path("metric").properties().forEach(
          label -> labels.put(label.getKey(), url.redaction().ofName(label.getValue().asText())));
      JsonNode values = series.path("values");
      long[] millis = new long[values.size()];
      double[] numbers = new double[values.size()];
      for (int i = 0; i < millis.length; i++) {
        millis[i] = Math.round(1000 * values.path(i).path(0).asDouble());
        numbers[i] = number(values.path(i).path(1));
      }
      lines.add(new Line(labels, millis, numbers));
    }
    return lines;
  }

  @Override
  public void close() {
    fetch.close();
  }
}
