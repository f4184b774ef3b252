package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.prometheus.Labels;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.analysis.prometheus.PromqlEvaluator;
import tallystick.analysis.prometheus.PromqlParser;
import tallystick.analysis.prometheus.RecordedSeries;
import tallystick.analysis.prometheus.SeriesStore;
import tallystick.analysis.prometheus.StoredSeries;

/** The same run in a real Prometheus, backfilled, and in our own store: every answer agrees. */
@Tag("promtool")
class RealPrometheusTest {
  private static final long EPOCH_SECONDS = 1_700_000_000L;
  private static final double TOLERANCE = 1e-9;
  private static final List<String> QUERIES =
      List.of(
          "sum by (model_name) (rate(vllm:generation_tokens_total[5m]))",
          "histogram_quantile(0.95, sum by (le, model_name)"
              + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
          "histogram_quantile(0.99,"
              + " sum by (le) (rate(vllm:inter_token_latency_seconds_bucket[2m])))",
          "1 - sum(rate(vllm:time_to_first_token_seconds_bucket{le=\"1.0\"}[1m]))"
              + " / sum(rate(vllm:time_to_first_token_seconds_count[1m])) > 0.01",
          "max(max_over_time(vllm:kv_cache_usage_perc[5m]))",
          "sum(avg_over_time(vllm:num_requests_waiting[5m]))",
          "vllm:num_requests_running > 10 and on(model_name) vllm:num_requests_waiting >= 0",
          "sum(increase(vllm:request_success_total[3m])) by (finished_reason)",
          "up == bool 1",
          "absent(vllm:no_such_metric{job=\"vllm\"})");

  @TempDir private Path folder;

  @Test
  void everyAnswerAgrees() throws Exception {
    VirtualRun run = RehearsedRuns.brief(RehearsedRuns.Mix.LONG_PROMPTS, 5);
    SeriesStore store = RecordedSeries.of(run, 15_000, Map.of());
    Files.writeString(folder.resolve("run.om"), openMetrics(store));
    command("promtool", "tsdb", "create-blocks-from", "openmetrics", "run.om", "data");
    Files.writeString(folder.resolve("empty.yml"), "global: {}\n");
    int port = freePort();
    Process prometheus =
        start(
            "prometheus", "--config.file=empty.yml", "--storage.tsdb.path=data",
            "--storage.tsdb.retention.time=100y", "--web.listen-address=127.0.0.1:" + port);
    try {
      compare(store, port);
    } finally {
      prometheus.destroy();
      prometheus.waitFor(20, TimeUnit.SECONDS);
    }
  }

  private void compare(SeriesStore store, int port) throws Exception {
    PromqlEvaluator evaluator = new PromqlEvaluator(store, PrometheusVersion.V2_42);
    int compared = 0;
    for (String query : QUERIES) {
      for (long second : new long[] {61, 300, 307, 600, 795, 1000}) {
        Map<String, Double> ours = new TreeMap<>();
        evaluator
            .vector(PromqlParser.parse(query), second * 1000)
            .elements()
            .forEach(e -> ours.put(e.labels().toString(), e.value()));
        Map<String, Double> theirs = ask(port, query, EPOCH_SECONDS + second);
        assertThat(ours.keySet()).as(query + " at " + second).isEqualTo(theirs.keySet());
        theirs.forEach((labels, value) -> assertClose(query, ours.get(labels), value));
        compared += theirs.size();
      }
    }
    assertThat(compared).isGreaterThan(50);
  }

  private static void assertClose(String query, double ours, double theirs) {
    boolean close =
        Double.compare(ours, theirs) == 0
            || Math.abs(ours - theirs) <= TOLERANCE * Math.abs(theirs);
    assertThat(close).as("%s: ours %s, Prometheus %s", query, ours, theirs).isTrue();
  }

  private static String openMetrics(SeriesStore store) {
    StringBuilder text = new StringBuilder();
    for (StoredSeries series : store.all()) {
      if (!series.labels().name().startsWith("vllm:") && !series.labels().name().equals("up")) {
        continue;
      }
      for (int i = 0; i < series.size(); i++) {
        text.append(series.labels())
            .append(' ')
            .append(series.value(i))
            .append(' ')
            .append(EPOCH_SECONDS + series.millis(i) / 1000)
            .append('\n');
      }
    }
    return text.append("# EOF\n").toString();
  }

  private static Map<String, Double> ask(int port, String query, long second) throws Exception {
    String uri =
        "http://127.0.0.1:%d/api/v1/query?time=%d&query=%s"
            .formatted(port, second, URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(10)).build();
    JsonNode answer = new ObjectMapper().readTree(body(request));
    Map<String, Double> values = new TreeMap<>();
    for (JsonNode element : answer.at("/data/result")) {
      Labels labels = Labels.EMPTY;
      for (Map.Entry<String, JsonNode> label : element.get("metric").properties()) {
        labels = labels.with(label.getKey(), label.getValue().asText());
      }
      values.put(labels.toString(), Double.parseDouble(element.at("/value/1").asText()));
    }
    return values;
  }

  /** Prometheus needs a moment before it answers. */
  private static String body(HttpRequest request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int attempt = 0; ; attempt++) {
        try {
          HttpResponse<String> response =
              client.send(request, HttpResponse.BodyHandlers.ofString());
          if (response.statusCode() == 200) {
            return response.body();
          }
          throw new IOException(response.statusCode() + ": " + response.body());
        } catch (IOException e) {
          if (attempt == 100) {
            throw e;
          }
          LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void command(String... words) throws Exception {
    Process process = start(words);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(folder.resolve("output.txt")))
        .isZero();
  }

  private Process start(String... words) throws IOException {
    return new ProcessBuilder(words)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }
}
