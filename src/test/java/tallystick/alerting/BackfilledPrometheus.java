package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tallystick.FreePort;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;

/** A real Prometheus that holds the series of a store; whichever is first on the path. */
public final class BackfilledPrometheus implements AutoCloseable {
  /** The moment the store's zero stands for. */
  public static final long EPOCH_SECONDS = 1_700_000_000L;

  private final Path folder;
  private final int port;
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();

  private BackfilledPrometheus(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** Fills blocks with the store's samples, in whole seconds, and starts a Prometheus on them. */
  public static BackfilledPrometheus of(SeriesStore store, Path folder) throws Exception {
    Files.writeString(folder.resolve("run.om"), openMetrics(store));
    Process promtool =
        start(
            folder, "promtool", "tsdb", "create-blocks-from", "openmetrics", "run.om", "data");
    assertThat(promtool.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(promtool.exitValue()).as(said(folder)).isZero();
    Files.writeString(folder.resolve("empty.yml"), "global: {}\n");
    int port = FreePort.any();
    Process prometheus =
        start(
            folder, "prometheus", "--config.file=empty.yml", "--storage.tsdb.path=data",
            "--storage.tsdb.retention.time=100y", "--web.listen-address=127.0.0.1:" + port);
    return new BackfilledPrometheus(folder, port, prometheus);
  }

  /** Its base URL. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Which dialect the installed one speaks. */
  public static PrometheusVersion version() throws Exception {
    Process process =
        new ProcessBuilder("prometheus", "--version").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).startsWith("prometheus, version ");
    return said.startsWith("prometheus, version 2.")
        ? PrometheusVersion.V2_42
        : PrometheusVersion.V3;
  }

  /** What it answers at a moment of the store: labels and values of a vector or a scalar. */
  public Map<String, Double> answer(String query, long second) throws Exception {
    JsonNode answer = ask(query, EPOCH_SECONDS + second);
    Map<String, Double> values = new TreeMap<>();
    if (answer.at("/data/resultType").asText().equals("scalar")) {
      values.put("{}", Double.parseDouble(answer.at("/data/result/1").asText()));
      return values;
    }
    for (JsonNode element : answer.at("/data/result")) {
      values.put(
          labels(element.get("metric")).toString(),
          number(element.at("/value/1").asText()));
    }
    return values;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static Labels labels(JsonNode metric) {
    Labels labels = Labels.EMPTY;
    for (Map.Entry<String, JsonNode> label : metric.properties()) {
      labels = labels.with(label.getKey(), label.getValue().asText());
    }
    return labels;
  }

  private JsonNode ask(String query, long second) throws Exception {
    String uri =
        "http://127.0.0.1:%d/api/v1/query?time=%d&query=%s"
            .formatted(port, second, URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(10)).build();
    return new ObjectMapper().readTree(body(request));
  }

  /** Prometheus needs a moment before it answers; a query it refuses stays refused. */
  private String body(HttpRequest request) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        HttpResponse<String> response =
            client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 503) {
          assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
          return response.body();
        }
      } catch (IOException e) {
        if (attempt == 200) {
          throw e;
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
  }

  private static String openMetrics(SeriesStore store) {
    StringBuilder text = new StringBuilder();
    for (StoredSeries series : store.all()) {
      for (int i = 0; i < series.size(); i++) {
        text.append(series.labels())
            .append(' ')
            .append(Double.isInfinite(series.value(i)) ? "+Inf" : series.value(i))
            .append(' ')
            .append(EPOCH_SECONDS + series.millis(i) / 1000)
            .append('\n');
      }
    }
    return text.append("# EOF\n").toString();
  }

  private static String said(Path folder) throws IOException {
    return Files.readString(folder.resolve("output.txt"));
  }

  private static Process start(Path folder, String... words) throws IOException {
    return new ProcessBuilder(words)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    client.close();
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(said(folder)).isTrue();
  }
}
