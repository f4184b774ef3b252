package tallystick.scrape;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * The query API of a Prometheus, or of a Thanos, Mimir or VictoriaMetrics that speaks as one.
 *
 * <p>An answer that its server calls partial is refused: a series of a store that was not reached
 * would look like one that ended, and its counter like one that began anew.
 */
final class PrometheusApi {
  private static final Map<String, String> HEADERS = Map.of("Accept", "application/json");
  private static final int OK = 200; // HTTP
  private static final int UNAUTHORIZED = 401; // HTTP
  private static final int FORBIDDEN = 403; // HTTP
  private static final int NOT_FOUND = 404; // HTTP
  private static final Set<String> REFUSALS = Set.of("bad_data", "execution");
  private static final long MILLIS_PER_SECOND = 1_000;

  private final MetricsUrl url;
  private final HttpFetch fetch;
  private final ObjectMapper mapper = new ObjectMapper();
  private double dateUtcSeconds = Double.NaN;

  PrometheusApi(MetricsUrl url, HttpFetch fetch) {
    this.url = url;
    this.fetch = fetch;
  }

  /** All samples of the last so many seconds, one entry for each series. */
  JsonNode result(String selector, long seconds) throws IOException, InterruptedException {
    return result(selector + "[" + seconds + "s]", "");
  }

  /** All samples of so many seconds from a moment on, which may end later than now. */
  JsonNode result(String selector, long seconds, long fromUtcMillis)
      throws IOException, InterruptedException {
    BigDecimal end = BigDecimal.valueOf(fromUtcMillis + seconds * MILLIS_PER_SECOND, 3);
    return result(selector + "[" + seconds + "s]", "&time=" + end.toPlainString());
  }

  /** An expression's values at each step, one entry for each series; times in UTC milliseconds. */
  JsonNode range(String query, long from, long to, long step)
      throws IOException, InterruptedException {
    String times = "&start=%s&end=%s&step=%s".formatted(seconds(from), seconds(to), seconds(step));
    return result("query_range", query, times);
  }

  private static String seconds(long millis) {
    return BigDecimal.valueOf(millis, 3).toPlainString();
  }

  /** The names of all metrics it has. */
  JsonNode names() throws IOException, InterruptedException {
    return json(url.endpoint("label/__name__/values")).path("data");
  }

  /** Its value now: a scalar as a pair of time and value. */
  JsonNode now(String scalar) throws IOException, InterruptedException {
    return result(scalar, "");
  }

  private JsonNode result(String query, String time) throws IOException, InterruptedException {
    return result("query", query, time);
  }

  private JsonNode result(String endpoint, String query, String time)
      throws IOException, InterruptedException {
    String words = "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + time;
    JsonNode answer = json(url.endpoint(endpoint) + words);
    // What it remarks on the words of a query says nothing of the data.
    String warning =
        answer.path("warnings").valueStream()
            .map(JsonNode::asText)
            .filter(text -> !text.startsWith("PromQL "))
            .findFirst()
            .orElse("");
    if (!warning.isEmpty() || answer.path("isPartial").asBoolean()) {
      throw new IOException(
          "its answer is partial" + (warning.isEmpty() ? "" : " (" + warning + ")")
              + ", and is not used: series that are missing would look like series that ended");
    }
    return answer.path("data").path("result");
  }

  /** What it knows of each family; empty where it does not tell. */
  JsonNode metadata() throws InterruptedException {
    try {
      return json(url.endpoint("metadata")).path("data");
    } catch (IOException e) {
      // Not every proxy before it lets this through, and the vocabulary knows the types too.
      return mapper.createObjectNode();
    }
  }

  /** The {@code Date} of its newest answer; NaN without one. */
  double dateUtcSeconds() {
    return dateUtcSeconds;
  }

  private JsonNode json(String address) throws IOException, InterruptedException {
    HttpAnswer answer = fetch.get(URI.create(address), url.credentials().with(HEADERS));
    dateUtcSeconds = answer.dateUtcSeconds();
    JsonNode body = object(answer);
    if (answer.status() != OK || !"success".equals(body.path("status").asText())) {
      if (REFUSALS.contains(body.path("errorType").asText())) {
        throw new RefusedQueryException(answer.status(), body.path("error").asText());
      }
      if (answer.status() == UNAUTHORIZED || answer.status() == FORBIDDEN) {
        throw new IOException(answer.statusWords(url.credentials()));
      }
      String said = body.path("error").asText();
      throw new IOException(
          "Prometheus answered HTTP " + answer.status()
              + (said.isEmpty() ? "; is what answers there a Prometheus?" : ": " + said));
    }
    return body;
  }

  /** A text such as {@code 404 page not found} begins with a number, which is JSON too. */
  private JsonNode object(HttpAnswer answer) throws IOException {
    try {
      JsonNode body = mapper.readTree(answer.body());
      if (body.isObject()) {
        return body;
      }
    } catch (JsonProcessingException e) {
      // Told below, like every answer that is no object.
    }
    throw new IOException(
        switch (answer.status()) {
          case OK -> "HTTP 200 without JSON; that is not the Prometheus API";
          case NOT_FOUND ->
              answer.statusWords(url.credentials()) + "; that is not the Prometheus API";
          default -> answer.statusWords(url.credentials());
        });
  }
}
