package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.runrecord.EngineFamily;
import tallystick.scenario.Target;

class EngineProbeTest {
  private static final String TEXT = "text/plain; version=1.0.0; charset=utf-8";

  private final LoopbackServer server;
  private final EngineProbe probe = new EngineProbe(MetricsAccess.plain());

  EngineProbeTest() throws IOException {
    server = new LoopbackServer();
  }

  @AfterEach
  void stop() {
    probe.close();
    server.close();
  }

  @Test
  void findsAnEngineAndItsVersion() throws Exception {
    byte[] body = Fixtures.bytes("metrics-idle.prom");
    server
        .on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, body))
        .on(
            "/version",
            exchange ->
                LoopbackServer.answer(
                    exchange, 200, "application/json", "{\"version\":\"0.32.0\"}"));
    EndpointProbe result = probe.probe(server.target());
    assertThat(result.isFit()).isTrue();
    assertThat(result.engineVersion()).isEqualTo("0.32.0");
    assertThat(result.samples()).isNotEmpty();
  }

  @Test
  void namesTheWayOnForAServerWithoutMetrics() throws Exception {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 404, TEXT, "no"));
    EndpointProbe result = probe.probe(server.target());
    assertThat(result.problem())
        .contains(server.target().metricsUrl(), "HTTP 404", "metrics_url", "--no-scrape");
  }

  @Test
  void namesTheWayOnForAnExporterOfSomethingElse() throws Exception {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\nb 2\n"));
    EndpointProbe result = probe.probe(server.target());
    assertThat(result.problem())
        .contains("2 series but none of vLLM, SGLang, NVIDIA NIM", "--no-scrape");
  }

  @Test
  void namesTheWayOnForAServerThatIsDown() throws Exception {
    server.close();
    EndpointProbe result = probe.probe(server.target());
    assertThat(result.problem()).contains("does not answer", "no connection", "--no-scrape");
  }

  @Test
  void acceptsADynamoWorkerThatHasNotServedYet() throws Exception {
    String body = "dynamo_component_uptime_seconds 1\n";
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, body));
    assertThat(probe.probe(server.target()).isFit()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "text/html, <html><p>Sign in</p>, web page (HTML)",
    "text/plain, <!doctype html>, web page (HTML)",
    "application/json, '{\"models\": []}', JSON",
    "application/json, '[]', JSON"
  })
  void namesAPageThatIsNoExposition(String type, String body, String kind) throws Exception {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, type, body));
    assertThat(probe.probe(server.target()).problem())
        .contains("gives no metrics (that is ", kind + " and no metrics", "line 1", "metrics_url")
        .doesNotContain("cut");
  }

  @ParameterizedTest
  @CsvSource({
    "tgi_queue_size, Text Generation Inference",
    "llamacpp:requests_processing, llama.cpp",
    "trtllm_num_requests_running, TensorRT-LLM"
  })
  void readsEveryEngineThatIsDescribed(String family, String engine) throws Exception {
    server.on(
        "/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, family + " 0\n"));
    EndpointProbe result = probe.probe(server.target());
    assertThat(result.problem()).isEmpty();
    assertThat(Observation.familiesOf(result.samples()))
        .extracting(EngineFamily::title)
        .containsExactly(engine);
  }

  @Test
  void saysAtWhichOtherPageTheServerShowsThem() throws Exception {
    server.on(
        "/metrics",
        exchange -> LoopbackServer.answer(exchange, 200, "application/json", "[]"));
    server.on(
        "/prometheus/metrics",
        exchange ->
            LoopbackServer.answer(exchange, 200, TEXT, "trtllm_num_requests_running 0\n"));
    assertThat(probe.probe(server.target()).problem())
        .endsWith("--metrics-url " + server.target().url() + "/prometheus/metrics");
  }

  @ParameterizedTest
  @CsvSource({
    "'Content-Length: 5\r\n\r\na 123', ''",
    "'Transfer-Encoding: chunked\r\n\r\n5\r\na 123\r\n0\r\n\r\n', ''",
    "'Content-Length: 6\r\n\r\na 123', the answer was cut",
    "'Content-Length: 15\r\n\r\na{b=\"\u00c3\u00a9\"} 1\nb 123', the last line has no line feed",
    "'Transfer-Encoding: chunked\r\n\r\n5\r\na 123\r\n', no whole end",
    "'\r\na 123', the last line has no line feed"
  })
  void takesALastLineWithoutLineFeedOnlyWhereTheEndIsKnown(String answer, String fault)
      throws Exception {
    byte[] bytes =
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n" + answer.translateEscapes())
            .getBytes(StandardCharsets.ISO_8859_1);
    try (RawServer raw =
        new RawServer(
            (request, out) -> {
              out.write(bytes);
              return false;
            })) {
      EndpointProbe result = probe.probe(Target.at(raw.uri("").toString()));
      assertThat(result.samples()).hasSize(fault.isEmpty() ? 1 : 0);
      assertThat(result.problem()).contains(fault.isEmpty() ? "1 series" : fault);
    }
  }
}
