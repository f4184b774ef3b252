package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;

/** Reads answers in the form Prometheus 2.42 and 3.5 give. */
class PrometheusRowsTest {
  private static final String JSON = "application/json";
  private static final String TWO_SCRAPES =
      """
      {"status":"success","data":{"resultType":"matrix","result":[
       {"metric":{"__name__":"vllm:prompt_tokens_total","engine":"0","instance":"a:1","job":"v"},
        "values":[[1000.5,"10"],[1001.5,"12"]]},
       {"metric":{"__name__":"vllm:num_requests_running","engine":"0","instance":"a:1","job":"v"},
        "values":[[1000.5,"NaN"],[1001.5,"+Inf"]]}]}}""";

  private final LoopbackServer server;
  private final List<String> queries = new ArrayList<>();
  private long nanos = 3_000_000_000L;

  PrometheusRowsTest() throws IOException {
    server = new LoopbackServer();
    server.on(
        "/prometheus/api/v1/metadata",
        exchange ->
            LoopbackServer.answer(
                exchange,
                200,
                JSON,
                "{\"status\":\"success\",\"data\":{\"vllm:prompt_tokens\":[{\"type\":\"counter\"}],"
                    + "\"vllm:num_requests_running\":[{\"type\":\"gauge\"}]}}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void makesARowOfEachStoredScrape() throws InterruptedException {
    answer(200, TWO_SCRAPES);
    List<ScrapeRow> rows = rows("?job=v").next();
    assertThat(rows)
        .extracting(ScrapeRow::startedNanos)
        .containsExactly(500_000_000L, 1_500_000_000L);
    assertThat(rows.getLast().samples())
        .extracting(Sample::value)
        .containsExactly(12.0, Double.POSITIVE_INFINITY);
    assertThat(rows.getFirst().samples())
        .extracting(sample -> sample.series().type())
        .containsExactly(Series.Type.COUNTER, Series.Type.GAUGE);
  }

  @Test
  void givesNoScrapeTwiceAndAsksOnlyBackToTheLast() throws InterruptedException {
    answer(200, TWO_SCRAPES);
    PrometheusRows source = rows("?job=v&instance=a:1");
    assertThat(source.next()).hasSize(2);
    assertThat(source.next()).isEmpty();
    assertThat(queries)
        .containsExactly(
            "{instance=\"a:1\",job=\"v\"}[300s]",
            "{instance=\"a:1\",job=\"v\"}[3s]&time=1004.499");
  }

  @Test
  void asksForEveryEnginesMetricsWithoutLabels() throws InterruptedException {
    answer(200, TWO_SCRAPES);
    rows("").next();
    assertThat(queries)
        .singleElement()
        .asString()
        .startsWith("{__name__=~\"(kserve_|ray_)?vllm[:_].+|sglang[:_].+")
        .endsWith("\"}[300s]");
  }

  @Test
  void refusesASelectorOfSeveralInstances() throws InterruptedException {
    answer(200, TWO_SCRAPES.replaceFirst("a:1", "b:1"));
    assertThat(rows("").next().getFirst().error()).contains("several instances (v a:1, v b:1)");
  }

  @Test
  void refusesANativeHistogramRatherThanLosingIt() throws InterruptedException {
    answer(200, TWO_SCRAPES.replaceFirst("values", "histograms"));
    assertThat(rows("").next().getFirst().error())
        .contains("native histogram only", "always_scrape_classic_histograms: true");
  }

  @Test
  void leavesOutANativeHistogramWhoseClassicOneIsStoredToo() throws InterruptedException {
    answer(
        200,
        """
        {"status":"success","data":{"resultType":"matrix","result":[
         {"metric":{"__name__":"vllm:ttft","job":"v"},
          "histograms":[[1000.5,{"count":"3","sum":"1","buckets":[[0,"0","1","3"]]}]]},
         {"metric":{"__name__":"vllm:ttft_bucket","le":"1.0","job":"v"},
          "values":[[1000.5,"3"]]}]}}""");
    ScrapeRow row = rows("").next().getFirst();
    assertThat(row.error()).isEmpty();
    assertThat(row.samples())
        .extracting(sample -> sample.series().name())
        .containsExactly("vllm:ttft_bucket");
  }

  @Test
  void tellsPrometheusOwnError() throws InterruptedException {
    answer(400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"no such thing\"}");
    assertThat(rows("").next().getFirst().error())
        .isEqualTo("Prometheus answered HTTP 400: no such thing");
  }

  @Test
  void tellsWhenNothingIsStored() throws InterruptedException {
    answer(200, "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");
    assertThat(rows("?job=v").next().getFirst().error())
        .contains("stored nothing for {job=\"v\"} in the last 300 s");
  }

  @Test
  void servesTheScraperLikeAnyOtherTarget() throws InterruptedException {
    long now = System.currentTimeMillis() / 1000;
    answer(200, TWO_SCRAPES.replace("1000.5", now - 1 + ".5").replace("1001.5", now + ".5"));
    Target target = new Target(server.target().url(), url("?job=v"), 1);
    try (EngineProbe probe = new EngineProbe(MetricsAccess.plain())) {
      EndpointProbe result = probe.probe(target);
      assertThat(result.problem()).isEmpty();
      assertThat(result.samples()).hasSize(2);
    }
  }

  @Test
  void takesCredentialsOnlyFromTheEnvironment() {
    assertThat(Credentials.ofTarget(Map.of()).headers()).isEmpty();
    assertThat(
            Credentials.ofTarget(
                Map.of("TALLY_METRICS_TOKEN", "secret", "TALLY_METRICS_TENANT", "team"))
                .headers())
        .containsEntry("Authorization", "Bearer secret")
        .containsEntry("X-Scope-OrgID", "team");
    assertThat(
            Credentials.ofTarget(
                Map.of("TALLY_METRICS_USER", "me", "TALLY_METRICS_PASSWORD", "secret"))
                .headers())
        .containsEntry("Authorization", "Basic bWU6c2VjcmV0");
  }

  private PrometheusRows rows(String query) {
    return new PrometheusRows(
        0, OpenUrl.of(url(query)), HttpFetch.standard(),
        MovedClock.of(1_000_000_000_000L, () -> nanos));
  }

  private String url(String query) {
    return server.target().url() + "/prometheus/api/v1/query" + query;
  }

  private void answer(int status, String body) {
    server.on(
        "/prometheus/api/v1/query",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery().replaceFirst("^query=", "");
          queries.add(URLDecoder.decode(query, StandardCharsets.UTF_8));
          LoopbackServer.answer(exchange, status, JSON, body);
        });
  }
}
