package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineProbeTest {
  private static final String TEXT = "text/plain; version=1.0.0; charset=utf-8";

  private final LoopbackServer server;
  private final EngineProbe probe = new EngineProbe();

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
    ProbeResult result = probe.probe(server.target());
    assertThat(result.isFit()).isTrue();
    assertThat(result.hasEngineFamilies()).isTrue();
    assertThat(result.engineVersion()).isEqualTo("0.32.0");
    assertThat(result.samples()).isNotEmpty();
  }

  @Test
  void namesTheWayOnForAServerWithoutMetrics() throws Exception {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 404, TEXT, "no"));
    ProbeResult result = probe.probe(server.target());
    assertThat(result.isReachable()).isTrue();
    assertThat(result.status()).isEqualTo(404);
    assertThat(result.problem())
        .contains(server.target().metricsUrl(), "HTTP 404", "metrics_url", "--no-scrape");
  }

  @Test
  void namesTheWayOnForAnExporterOfSomethingElse() throws Exception {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\nb 2\n"));
    ProbeResult result = probe.probe(server.target());
    assertThat(result.hasEngineFamilies()).isFalse();
    assertThat(result.problem()).contains("2 series but no vllm: metrics", "--no-scrape");
  }

  @Test
  void namesTheWayOnForAServerThatIsDown() throws Exception {
    server.close();
    ProbeResult result = probe.probe(server.target());
    assertThat(result.isReachable()).isFalse();
    assertThat(result.problem()).contains("does not answer", "no connection", "--no-scrape");
  }

  @Test
  void acceptsADynamoWorkerThatHasNotServedYet() throws Exception {
    String body = "dynamo_component_uptime_seconds 1\n";
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, body));
    assertThat(probe.probe(server.target()).isFit()).isTrue();
  }

  @Test
  void refusesAPageThatIsNoExposition() throws Exception {
    server.on(
        "/metrics", exchange -> LoopbackServer.answer(exchange, 200, "text/html", "<html>\n"));
    assertThat(probe.probe(server.target()).problem()).contains("gives no metrics", "line 1");
  }
}
