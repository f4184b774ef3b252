package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Target;
import tallystick.scrape.Remark.Level;

class CheckupTest {
  private static final String TEXT = "text/plain; version=0.0.4";

  private final LoopbackServer server;
  private final AtomicInteger scrapes = new AtomicInteger();

  CheckupTest() throws IOException {
    server = new LoopbackServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void findsNothingWrongWithAnIdleVllm() throws Exception {
    serve(Fixtures.bytes("metrics-idle.prom"));
    List<Remark> remarks = examine(Map.of());
    assertThat(remarks).extracting(Remark::level).isSubsetOf(Level.GOOD, Level.NOTE);
    assertThat(texts(remarks, "model")).containsExactly("tiny");
    assertThat(texts(remarks, "traffic")).allMatch(text -> text.startsWith("none"));
  }

  @Test
  void tellsOfAnotherEngineWhatItsOwnMetricsAllow() throws Exception {
    serve(
        """
        # TYPE sglang:num_running_reqs gauge
        sglang:num_running_reqs{model_name="m"} 0
        # TYPE sglang:num_queue_reqs gauge
        sglang:num_queue_reqs{model_name="m"} 0
        # TYPE sglang:prompt_tokens_total counter
        sglang:prompt_tokens_total{model_name="m"} 7
        # TYPE sglang:something_new gauge
        sglang:something_new 1
        """
            .getBytes(StandardCharsets.UTF_8));
    List<Remark> remarks = examine(Map.of());
    assertThat(texts(remarks, "model")).containsExactly("m");
    assertThat(texts(remarks, "missing"))
        .contains(
            "sglang:num_requests is absent, so unknown; impossible without it: ledger row R1,"
                + " finished requests by reason")
        .noneMatch(text -> text.contains("vllm"));
    assertThat(texts(remarks, "not counted"))
        .contains(
            "SGLang does not tell decode_time, so unknown: the decode's share of the end-to-end"
                + " time");
    assertThat(texts(remarks, "unknown names")).singleElement().asString()
        .endsWith("sglang:something_new");
    assertThat(remarks).extracting(Remark::text).noneMatch(text -> text.contains("vllm:"));
  }

  @Test
  void trustsNoTargetThatShowsTwoEngines() throws Exception {
    String both = "sglang:num_running_reqs 0\nvllm:num_requests_running 0\n";
    serve(both.getBytes(StandardCharsets.UTF_8));
    assertThat(examine(Map.of()))
        .anyMatch(
            remark ->
                remark.level() == Level.UNTRUSTED
                    && remark.text().startsWith("vLLM and SGLang count differently"));
  }

  @Test
  void namesWhatOnlyAnotherConfigurationWouldShow() throws Exception {
    serve(Fixtures.bytes("metrics-idle.prom"));
    assertThat(texts(examine(Map.of()), "not exposed"))
        .singleElement()
        .asString()
        .contains("unknown, not 0", "only with LoRA: lora_requests_info",
            "only with speculative decoding: spec_decode_num_drafts, ",
            "only with the NIXL connector: nixl_xfer_time_seconds, ")
        .doesNotContain("time_to_first_token", "acceptance_rate", "with the V0 engine");
  }

  @Test
  void looksUpThresholdsAmongTheEdges() throws Exception {
    serve(Fixtures.bytes("metrics-idle.prom"));
    List<String> texts =
        texts(
            examine(
                Map.of(
                    MetricConcept.TTFT, 2.0, MetricConcept.E2E, 2.0, MetricConcept.ITL, 0.005)),
            "bucket edges");
    assertThat(texts)
        .anySatisfy(t -> assertThat(t).startsWith("ttft").contains("near it are 1 s and 2.5"))
        .anySatisfy(t -> assertThat(t).startsWith("e2e").endsWith("lies on a bucket edge"))
        .anySatisfy(t -> assertThat(t).startsWith("itl").contains("the first edge is 0.01"));
  }

  @Test
  void saysWhichChecksAreImpossibleForADynamoWorker() throws Exception {
    serve(Fixtures.bytes("dynamo_worker_metrics.txt"));
    List<Remark> remarks = examine(Map.of());
    assertThat(texts(remarks, "missing"))
        .anySatisfy(text -> assertThat(text).contains("vllm:generation_tokens", "R4"))
        .noneSatisfy(text -> assertThat(text).contains("vllm:time_to_first_token"));
    assertThat(texts(remarks, "older name"))
        .singleElement()
        .asString()
        .contains("gpu_cache_usage_perc", "removed 0.12", "vllm:kv_cache_usage_perc");
  }

  @Test
  void asksForAFirstRequestWhereSeveralApiServersShowNoGaugeYet() throws Exception {
    // So it is with vLLM 0.32 and --api-server-count 2, seen 2026-11-21.
    String before =
        new String(Fixtures.bytes("metrics-mp1.prom"), StandardCharsets.UTF_8)
            .replaceAll("(?m)^vllm:(num_requests_|kv_cache_usage).*\\n", "");
    serve(before.getBytes(StandardCharsets.UTF_8));
    List<Remark> remarks = examine(Map.of());
    assertThat(texts(remarks, "first request")).singleElement().asString().contains("API servers");
    assertThat(texts(remarks, "missing")).hasSize(3).allMatch(text -> text.contains("unknown"));
    assertThat(texts(remarks, "processes")).singleElement().asString().contains("no _created");
  }

  @Test
  void sendsWhoLooksAtDynamosFrontendToTheWorker() throws Exception {
    serve(Fixtures.bytes("dynamo_frontend_metrics.txt"));
    List<Remark> remarks = examine(Map.of());
    assertThat(texts(remarks, "frontend"))
        .singleElement()
        .asString()
        .contains("worker", "--metrics-url", "exporter");
    assertThat(texts(remarks, "first request")).isEmpty();
  }

  @Test
  void asksForAFirstRequestWhereDynamoShowsNothingYet() throws Exception {
    serve("dynamo_component_uptime_seconds 1\n".getBytes(StandardCharsets.UTF_8));
    List<Remark> remarks = examine(Map.of());
    assertThat(texts(remarks, "first request")).hasSize(1);
    assertThat(texts(remarks, "missing")).isEmpty();
  }

  @Test
  void recognisesSeveralApiServers() throws Exception {
    serve(Fixtures.bytes("metrics-mp1.prom"));
    assertThat(texts(examine(Map.of()), "processes")).hasSize(1);
  }

  @Test
  void recognisesTheEscapedSpelling() throws Exception {
    serve("vllm_num_requests_running 0\n".getBytes(StandardCharsets.UTF_8));
    assertThat(texts(examine(Map.of()), "spelling")).hasSize(1);
  }

  @Test
  void doesNotTrustATargetThatIsBusy() throws Exception {
    server.on("/metrics", exchange -> busy(exchange, scrapes.incrementAndGet()));
    assertThat(examine(Map.of()))
        .anyMatch(r -> r.level() == Level.UNTRUSTED && r.subject().equals("traffic"));
  }

  @Test
  void doesNotTrustReplicasBehindABalancer() throws Exception {
    server.on("/metrics", exchange -> busy(exchange, scrapes.incrementAndGet() % 2));
    assertThat(texts(examine(Map.of()), "one process"))
        .singleElement()
        .asString()
        .contains("vllm:generation_tokens_total went backwards");
  }

  @Test
  void knowsNothingOfTrafficBeforeAnythingIsShown() throws Exception {
    serve("# TYPE dynamo_component_requests_total counter\ndynamo_component_requests_total 0\n"
        .getBytes(StandardCharsets.UTF_8));
    assertThat(texts(examine(Map.of()), "traffic"))
        .singleElement()
        .asString()
        .startsWith("unknown");
  }

  @Test
  void takesEachLookOverAConnectionOfItsOwn() throws Exception {
    List<Integer> ports = new CopyOnWriteArrayList<>();
    server.on(
        "/metrics",
        exchange -> {
          ports.add(exchange.getRemoteAddress().getPort());
          busy(exchange, 1);
        });
    examine(Map.of());
    // The first is the probe's; it may share nothing with the four looks.
    assertThat(ports).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void saysWhatAStoreIsAndHowFine() throws Exception {
    long now = System.currentTimeMillis() / 1000;
    String values = "[[%d,\"5\"],[%d,\"5\"],[%d,\"5\"]]".formatted(now - 31, now - 16, now - 1);
    server.on(
        "/api/v1/query",
        exchange ->
            LoopbackServer.answer(
                exchange, 200, "application/json",
                "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{\"__name__\":"
                    + "\"vllm:generation_tokens_total\"},\"values\":" + values + "}]}}"));
    server.on(
        "/api/v1/status/buildinfo",
        exchange ->
            LoopbackServer.answer(
                exchange, 200, "application/json",
                "{\"status\":\"success\",\"data\":{\"application\":\"Grafana Mimir\","
                    + "\"version\":\"2.17\"}}"));
    Target target = server.target();
    try (Checkup checkup = new Checkup(4, 1, MetricsAccess.plain())) {
      List<Remark> remarks =
          checkup.examine(
              new Target(target.url(), target.url() + "/api/v1/query?job=v", 1), Map.of());
      assertThat(texts(remarks, "store")).containsExactly("Grafana Mimir, version 2.17");
      assertThat(texts(remarks, "resolution"))
          .singleElement()
          .asString()
          .startsWith("one stored scrape every 15 s by Prometheus' clock");
      assertThat(texts(remarks, "clock")).singleElement().asString().startsWith("the server's is");
    }
  }

  @Test
  void failsWhereNothingAnswers() throws Exception {
    server.close();
    assertThat(examine(Map.of())).singleElement().matches(r -> r.level() == Level.FAILED);
  }

  @Test
  void namesTheOptionThatShowsAHiddenName() {
    assertThat(NameCheck.remarks(List.of(), "0.12.3"))
        .extracting(Remark::text)
        .containsExactly(
            "vllm:time_per_output_token_seconds is hidden here; "
                + "--show-hidden-metrics-for-version=0.11 shows it until it is removed in 0.15");
    assertThat(NameCheck.remarks(List.of(), "0.32.0")).isEmpty();
  }

  @Test
  void boundsTheClocksByEachDateTogether() {
    // Date 100 read at 100.2 allows -0.3 … +1.8, Date 101 read at 102.4 allows -1.5 … +0.7.
    Remark remark = ClockCheck.remark(List.of(dated(100, 100.2, 100.3), dated(101, 102.3, 102.5)));
    assertThat(remark.text()).isEqualTo("the server's is between -0.30 and +0.70 s of ours");
    assertThat(remark.level()).isEqualTo(Level.GOOD);
    assertThat(ClockCheck.remark(List.of(dated(100, 50, 50.1))).level()).isEqualTo(Level.WARNING);
    assertThat(ClockCheck.remark(List.of(dated(Double.NaN, 5, 5))).level()).isEqualTo(Level.NOTE);
  }

  private static Observation dated(double date, double started, double ended) {
    return new Observation(started, ended, date, TEXT, 0, 0, List.of());
  }

  private static void busy(HttpExchange exchange, int tokens) throws IOException {
    String name = "vllm:generation_tokens_total";
    String body = "# TYPE " + name + " counter\n" + name + "{engine=\"0\"} " + tokens + "\n";
    LoopbackServer.answer(exchange, 200, TEXT, body);
  }

  private void serve(byte[] body) {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, body));
  }

  private List<Remark> examine(Map<MetricConcept, Double> thresholds) throws Exception {
    try (Checkup checkup = new Checkup(4, 1, MetricsAccess.plain())) {
      return checkup.examine(server.target(), thresholds);
    }
  }

  private static List<String> texts(List<Remark> remarks, String subject) {
    return remarks.stream()
        .filter(remark -> remark.subject().equals(subject))
        .map(Remark::text)
        .toList();
  }
}
