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

/**
 * The query API of a Prometheus, or of a Thanos, Mimir or VictoriaMetrics that speaks as one.
 *
 * <p>An answer that its server calls partial is refused: a series of a store that was not reached
 * would look like one that ended, and its counter like one that began anew.
 */
final class PrometheusApi {
  private static final Map<String, String> HEADERS = Map.of("Accept", "application/json");
  private static final int OK = 200; // HTTP
  private static final int NOT_FOUND = 404; // HTTP
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

  private JsonNode result(String query, String time) throws IOException, InterruptedException {
    String words = "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + time;
    JsonNode answer = json(url.endpoint("query") + words);
    String warning = answer.path("warnings").path(0).asText();
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
      throw new IOException(
          "Prometheus answered HTTP " + answer.status() + ": " + body.path("error").asText());
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
          case OK -> "HTTP 200 without JSON; that is no Prometheus API";
          case NOT_FOUND -> answer.statusWords(url.credentials()) + "; that is no Prometheus API";
          default -> answer.statusWords(url.credentials());
        });
  }
}
