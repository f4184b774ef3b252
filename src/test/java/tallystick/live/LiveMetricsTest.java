package tallystick.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.export.MadeRows;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

class LiveMetricsTest {
  private static final long MILLI = 1_000_000L;
  private static final Manifest RUN = MadeRows.record(0, List.of(), List.of()).manifest();

  /** TTFT 30 ms from its due time, 20 ms from its start; gaps 10 and 60 ms. */
  private static final RequestRow REQUEST =
      MadeRows.request(0, 0, 10 * MILLI, 30 * MILLI, 40 * MILLI, 100 * MILLI);

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String page(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .header("Accept", "application/openmetrics-text; version=1.0.0")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  @Test
  void nobodyAsksAndNothingIsKept() throws IOException {
    assertThat(LiveMetrics.begin(0, Map.of(), RUN, () -> 0)).isEmpty();
  }

  @Test
  void aTakenPortIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> LiveMetrics.begin(port, Map.of(), RUN, () -> 0))
          .isInstanceOf(BindException.class);
    }
  }

  @Test
  void servesTheClientsSideOnTheEnginesEdges() throws IOException, InterruptedException {
    int port = freePort();
    try (LiveMetrics live = LiveMetrics.begin(port, Map.of(), RUN, () -> 7).orElseThrow()) {
      live.see(new ScrapeRow(0, 1, 1, edges("0.025", "0.04", "+Inf"), ""));
      live.see(REQUEST);
      live.see(REQUEST);
      assertThat(page(port).lines())
          .contains(
              "tally_requests_in_flight 7.0",
              "tally_requests_ended_total{outcome=\"ok\",phase=\"load\"} 2.0",
              "tally_completion_tokens_total{phase=\"load\"} 6.0",
              first("intended", "0.025", 0), first("intended", "0.04", 2),
              first("started", "0.025", 2), first("started", "+Inf", 2),
              "tally_chunk_gap_seconds_count{phase=\"load\"} 4",
              "tally_request_lateness_seconds_count{phase=\"load\"} 2",
              "tally_run_info{run=\"r1\",scenario=\"" + RUN.scenario() + "\",source=\""
                  + "real\"} 1",
              "# EOF")
          .doesNotContain(first("intended", "0.02", 0))
          .noneMatch(line -> line.startsWith("tally_requests_started"));
    }
    assertThatThrownBy(() -> page(port)).isInstanceOf(IOException.class);
  }

  private static List<Sample> edges(String... edges) {
    return List.of(edges).stream()
        .map(
            edge ->
                new Sample(
                    Series.of(
                        "vllm:time_to_first_token_seconds_bucket", Map.of("le", edge),
                        Type.HISTOGRAM),
                    0))
        .toList();
  }

  private static String first(String from, String edge, int count) {
    return "tally_time_to_first_token_seconds_bucket{from=\"" + from + "\",phase=\"load\",le=\""
        + edge + "\"} " + count;
  }

  @Test
  void sendsTheSameByOtlp() throws IOException, InterruptedException {
    BlockingQueue<ExportMetricsServiceRequest> taken = new LinkedBlockingQueue<>();
    BlockingQueue<String> keys = new LinkedBlockingQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
          taken.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    String url = "http://127.0.0.1:" + collector.getAddress().getPort() + "/";
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", url, "OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b",
            "OTEL_SERVICE_NAME", "mine");
    try {
      LiveMetrics live = LiveMetrics.begin(0, environment, RUN, () -> 7).orElseThrow();
      live.see(REQUEST);
      live.close();
    } finally {
      collector.stop(0);
    }
    assertThat(keys.take()).isEqualTo("a b");
    var resource = taken.take().getResourceMetrics(0);
    assertThat(values(resource.getResource().getAttributesList()))
        .containsEntry("service.name", "mine")
        .containsEntry("tally.run", "r1");
    Map<String, Metric> metrics =
        resource.getScopeMetrics(0).getMetricsList().stream()
            .collect(Collectors.toMap(Metric::getName, metric -> metric));
    assertThat(metrics.get("tally_requests_in_flight").getGauge().getDataPoints(0).getAsDouble())
        .isEqualTo(7);
    var tokens = metrics.get("tally_completion_tokens").getSum();
    assertThat(tokens.getIsMonotonic()).isTrue();
    assertThat(tokens.getDataPoints(0).getAsDouble()).isEqualTo(3);
    var first = metrics.get("tally_time_to_first_token_seconds").getHistogram().getDataPoints(0);
    assertThat(first.getCount()).isEqualTo(1);
    assertThat(first.getBucketCountsList().stream().mapToLong(Long::longValue).sum()).isOne();
    assertThat(first.getBucketCountsCount()).isEqualTo(first.getExplicitBoundsCount() + 1);
  }

  private static Map<String, String> values(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(Collectors.toMap(KeyValue::getKey, one -> one.getValue().getStringValue()));
  }

  @Test
  void aCollectorThatIsNotThereHoldsNothingUp() throws IOException {
    Map<String, String> environment =
        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + freePort());
    LiveMetrics live = LiveMetrics.begin(0, environment, RUN, () -> 0).orElseThrow();
    live.see(REQUEST);
    live.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "localhost:4318", "127.0.0.1:4318", "ftp://host", "http://"})
  void whatIsNoAddressIsSaid(String address) throws IOException {
    Map<String, String> environment = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", address);
    assertThatThrownBy(() -> LiveMetrics.collector(environment))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(LiveMetrics.begin(0, environment, RUN, () -> 0)).isEmpty();
  }

  @Test
  void theMetricsHaveAnAddressOfTheirOwnWhereTheyAreGivenOne() {
    assertThat(LiveMetrics.collector(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://h:4318/")))
        .contains(URI.create("http://h:4318/v1/metrics"));
    assertThat(
            LiveMetrics.collector(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", "http://h:4318",
                    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://m/take")))
        .contains(URI.create("https://m/take"));
    assertThat(LiveMetrics.collector(Map.of())).isEmpty();
  }
}
