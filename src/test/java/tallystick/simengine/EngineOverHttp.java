package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What tests say to an embedded engine over HTTP. */
abstract class EngineOverHttp {
  static final Duration PATIENCE = Duration.ofSeconds(20);

  final HttpClient client = HttpClient.newHttpClient();

  static EmbeddedEngine start(Map<String, String> flags) {
    return EmbeddedEngine.start(EngineSettings.ofFlags(flags), "127.0.0.1", 0);
  }

  String completion(EmbeddedEngine engine, String fields) throws Exception {
    return post(engine, "/v1/completions", streamed(fields));
  }

  static String streamed(String fields) {
    return "{"
        + fields
        + ",\"stream\":true,\"ignore_eos\":true,\"stream_options\":{\"include_usage\":true,"
        + "\"continuous_usage_stats\":true},\"return_token_ids\":true}";
  }

  static List<String> events(String body) {
    return body.lines()
        .filter(line -> !line.isEmpty())
        .map(line -> line.substring("data: ".length()))
        .toList();
  }

  static int tokenCount(List<String> events) throws IOException {
    int count = 0;
    for (String event : events.subList(0, events.size() - 2)) {
      count += Json.MAPPER.readTree(event).path("choices").get(0).path("token_ids").size();
    }
    return count;
  }

  /** A body without what differs from one answer to the next. */
  static String neutral(String body) {
    return body.replaceAll("cmpl-[0-9a-f]{16}", "ID")
        .replaceAll("\"created\":\\d+", "\"created\":0")
        .replaceAll("\"text\":\" \\w+\"", "\"text\":\" word\"")
        .replaceAll("vllm-0.32.0[^\"]*", "vllm");
  }

  double metric(EmbeddedEngine engine, String name) throws Exception {
    return get(engine, "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  interface Condition {
    boolean holds() throws Exception;
  }

  static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  String get(EmbeddedEngine engine, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(engine.url() + path)).timeout(PATIENCE).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  String post(EmbeddedEngine engine, String path, String body) throws Exception {
    return client
        .send(request(engine, path, body), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  static HttpRequest request(EmbeddedEngine engine, String path, String body) {
    return HttpRequest.newBuilder(URI.create(engine.url() + path))
        .timeout(PATIENCE)
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }
}
