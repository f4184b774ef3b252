package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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
  private static final int OK = 200;

  private final MetricsUrl url;
  private final HttpFetch fetch;
  private final ObjectMapper mapper = new ObjectMapper();
  private double dateUtcSeconds = Double.NaN;

  PrometheusApi(MetricsUrl url, HttpFetch fetch) {
    this.url = url;
    this.fetch = fetch;
  }

  /** What an instant query gives, one entry for each series. */
  JsonNode result(String query) throws IOException, InterruptedException {
    JsonNode answer =
        json(url.endpoint("query") + "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
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
    HttpAnswer answer = fetch.get(URI.create(address), HEADERS);
    dateUtcSeconds = answer.dateUtcSeconds();
    JsonNode body;
    try {
      body = mapper.readTree(answer.body());
    } catch (IOException e) {
      String cause = answer.status() == OK ? "HTTP 200 without JSON" : answer.statusWords();
      throw new IOException(cause + "; that is no Prometheus API", e);
    }
    if (answer.status() != OK || !"success".equals(body.path("status").asText())) {
      throw new IOException(
          "Prometheus answered HTTP " + answer.status() + ": " + body.path("error").asText());
    }
    return body;
  }
}
