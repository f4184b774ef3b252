package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/**
 * What stores behind the API of Prometheus do that a Prometheus alone does not: replicas, partial
 * answers, late and lost samples. Answers as Thanos 0.39, Mimir and VictoriaMetrics 1.79 gave them.
 */
class StoredScrapesTest {
  private static final String TOKENS = "vllm:generation_tokens_total";
  private static final String PROMPTS = "vllm:prompt_tokens_total";
  private static final long SECOND = 1_000_000_000L;

  private final LoopbackServer server;
  private final List<String> queries = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private String around = "";
  private long originUtcNanos = 1_000 * SECOND;
  private long nanos = 10 * SECOND;

  StoredScrapesTest() throws IOException {
    server = new LoopbackServer();
    server.on(
        "/api/v1/query",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery().replaceFirst("^query=", "");
          queries.add(URLDecoder.decode(query, StandardCharsets.UTF_8));
          LoopbackServer.answer(
              exchange, 200, "application/json",
              "{\"status\":\"success\"" + around + ",\"data\":{\"resultType\":\"matrix\","
                  + "\"result\":[" + String.join(",", lines) + "]}}");
        });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void refusesAnEngineThatTwoPrometheisHaveStored() throws InterruptedException {
    stored("up", "\"job\":\"v\",\"replica\":\"A\"", "1000.2 1");
    stored("up", "\"job\":\"v\",\"replica\":\"B\"", "1000.7 1");
    stored(TOKENS, "\"engine\":\"0\",\"job\":\"v\",\"replica\":\"A\"", "1000.2 5");
    assertThat(source("?job=v").next())
        .singleElement()
        .extracting(ScrapeRow::error)
        .asString()
        .startsWith("{job=\"v\"} finds the same counters more than once, apart only in"
            + " replica: A, B: they would be added up.");
  }

  @Test
  void seesReplicasByTheCountersWhereUpIsNotSelected() throws InterruptedException {
    stored(TOKENS, "\"engine\":\"0\",\"model_name\":\"m\",\"prometheus\":\"A\"", "1000.2 5");
    stored(TOKENS, "\"engine\":\"0\",\"model_name\":\"m\"", "1000.7 5");
    assertThat(source("").next().getFirst().error()).contains("apart only in prometheus: A, none");
  }

  @Test
  void takesSeveralEnginesModelsAndReasonsForOneProcess() throws InterruptedException {
    stored(TOKENS, "\"engine\":\"0\",\"model_name\":\"m\",\"pod\":\"p\"", "1000.2 5");
    stored(TOKENS, "\"engine\":\"1\",\"model_name\":\"m\",\"pod\":\"p\"", "1000.2 6");
    stored("vllm:request_success_total", "\"finished_reason\":\"stop\",\"pod\":\"p\"", "1000.2 1");
    stored("vllm:request_success_total", "\"finished_reason\":\"abort\",\"pod\":\"p\"", "1000.2 0");
    assertThat(source("").next())
        .singleElement()
        .satisfies(row -> assertThat(row.error()).isEmpty())
        .satisfies(row -> assertThat(row.samples()).hasSize(4));
  }

  @Test
  void refusesASecondReplicaThatAppearsLater() throws InterruptedException {
    stored(TOKENS, "\"replica\":\"A\"", "1000.2 5");
    PrometheusRows source = source("");
    assertThat(source.next()).extracting(ScrapeRow::error).containsExactly("");
    lines.clear();
    stored(TOKENS, "\"replica\":\"B\"", "1001.7 9");
    assertThat(source.next().getFirst().error()).contains("apart only in replica: A, B");
  }

  @Test
  void usesNoPartialAnswerAndTakesItsScrapesOnceItIsWhole() throws InterruptedException {
    stored(TOKENS, "", "1000 5");
    PrometheusRows source = source("");
    assertThat(source.next()).hasSize(1);
    stored(PROMPTS, "", "1001 7");
    around = ",\"warnings\":[\"No StoreAPIs matched for this query\"]";
    assertThat(source.next().getFirst().error())
        .contains("answer is partial (No StoreAPIs matched for this query)");
    around = ",\"isPartial\":true";
    assertThat(source.next().getFirst().error()).startsWith("its answer is partial, and is not");
    around = ",\"isPartial\":false";
    lines.clear();
    stored(TOKENS, "", "1000 5", "1001 6");
    stored(PROMPTS, "", "1001 7");
    assertThat(times(source.next())).containsExactly(1.0);
  }

  @Test
  void holdsAScrapeBackUntilAllOfItHasArrived() throws InterruptedException {
    stored(TOKENS, "", "1000 5", "1001 6");
    stored(PROMPTS, "", "1000 7");
    PrometheusRows source = source("");
    assertThat(times(source.next())).containsExactly(0.0);
    assertThat(source.next()).isEmpty();
    lines.clear();
    stored(TOKENS, "", "1000 5", "1001 6", "1002 7");
    stored(PROMPTS, "", "1000 7", "1001 8");
    List<ScrapeRow> late = source.next();
    assertThat(times(late)).containsExactly(1.0);
    assertThat(late.getFirst().samples()).extracting(Sample::value).containsExactly(6.0, 8.0);
  }

  @Test
  void aScrapeStoredInPartIsAHoleOnceLaterOnesAreWhole() throws InterruptedException {
    stored(TOKENS, "", "1000 5", "1001 6", "1002 7");
    stored(PROMPTS, "", "1000 7", "1002 9");
    List<ScrapeRow> rows = source("").next();
    assertThat(rows).extracting(ScrapeRow::isGood).containsExactly(true, false, true);
    assertThat(rows.get(1).error())
        .isEqualTo("1 of 2 series of the engine were not stored then (vllm:prompt_tokens_total, …),"
            + " but before and after");
  }

  @Test
  void seriesThatStayAwayHaveEnded() throws InterruptedException {
    stored(TOKENS, "", "1000 5", "1001 6", "1030 7");
    stored(PROMPTS, "", "1000 7");
    PrometheusRows source = source("");
    assertThat(times(source.next())).containsExactly(0.0);
    stored(TOKENS, "", "1031 8");
    assertThat(times(source.next())).containsExactly(1.0, 30.0, 31.0);
  }

  @Test
  void waitsForNoSeriesOfAProcessThatIsGone() throws InterruptedException {
    stored(TOKENS, "", "1000 5", "1001 0");
    stored(PROMPTS, "", "1000 7");
    stored("vllm:generation_tokens_created", "", "1000 900", "1001 1000.5");
    assertThat(times(source("").next())).containsExactly(0.0, 1.0);
  }

  @Test
  void aScrapeThatFailedIsAHoleAtItsOwnTime() throws InterruptedException {
    stored("up", "\"job\":\"v\"", "1000 1", "1001 0", "1002 1");
    stored(TOKENS, "\"job\":\"v\"", "1000 5", "1002 6");
    List<ScrapeRow> rows = source("?job=v").next();
    assertThat(times(rows)).containsExactly(0.0, 1.0, 2.0);
    assertThat(rows.get(1).error()).contains("could not scrape the target then (up is 0)");
    assertThat(rows.get(1).samples()).isEmpty();
  }

  @Test
  void tellsWhenNothingNewIsStored() throws InterruptedException {
    stored(TOKENS, "", "1008 5", "1009 5");
    PrometheusRows source = source("");
    assertThat(source.next()).hasSize(2);
    nanos = 20 * SECOND;
    assertThat(source.next()).isEmpty();
    nanos = 22 * SECOND;
    assertThat(source.next().getFirst().error())
        .contains("no whole scrape of {__name__=~\"(kserve_|ray_)?vllm[:_].+|sglang[:_].+");
  }

  @Test
  void refusesToBeginWithWhatIsMinutesOld() throws InterruptedException {
    stored(TOKENS, "", "1008 5", "1009 5");
    nanos = 130 * SECOND;
    assertThat(source("").next().getLast().error()).contains("for 121 s: does it still scrape");
  }

  @Test
  void findsTheStoreAgainAfterALongSilence() throws InterruptedException {
    stored(TOKENS, "", "1008 5", "1009 5");
    PrometheusRows source = source("");
    source.next();
    nanos = 1_000 * SECOND;
    lines.clear();
    stored(TOKENS, "", "1999 7");
    assertThat(times(source.next())).containsExactly(999.0);
    assertThat(queries.getLast()).endsWith("[300s]");
  }

  @Test
  void tellsWhatIsNoStoreFromOneThatRefuses() throws InterruptedException {
    assertThat(answered(404, "404 page not found"))
        .isEqualTo("HTTP 404; that is not the Prometheus API");
    assertThat(answered(200, "<html>")).contains("without JSON; that is not the Prometheus API");
    assertThat(answered(503, "Service Unavailable")).isEqualTo("HTTP 503");
    assertThat(answered(401, "no org id"))
        .startsWith("HTTP 401: it wants credentials; set TALLY_METRICS_TOKEN")
        .endsWith("for a tenant TALLY_METRICS_TENANT");
  }

  private String answered(int status, String body) throws InterruptedException {
    String path = "/" + status + "/api/v1/query";
    server.on(path, exchange -> LoopbackServer.answer(exchange, status, "text/plain", body));
    MetricsUrl url = OpenUrl.of(server.target().url() + path);
    return new PrometheusRows(0, url, HttpFetch.standard(),
        MovedClock.of(originUtcNanos, () -> nanos)).next().getFirst().error();
  }

  @Test
  void knowsTypesWithoutMetadata() throws InterruptedException {
    stored(TOKENS, "", "1000 5");
    assertThat(source("").next().getFirst().samples().getFirst().series().type())
        .isEqualTo(Series.Type.COUNTER);
  }

  @Test
  void looksBackByTheClockOfTheStore() throws InterruptedException {
    long now = System.currentTimeMillis() / 1000;
    originUtcNanos = (now - 3_600) * SECOND;
    stored(TOKENS, "", (now - 40) + " 5");
    PrometheusRows source = source("");
    assertThat(times(source.next())).containsExactly(3_560.0);
    source.next();
    String seconds = queries.getLast().replaceFirst(".*\\[(\\d+)s].*", "$1");
    assertThat(Integer.parseInt(seconds)).isGreaterThanOrEqualTo(40);
  }

  private PrometheusRows source(String query) {
    MetricsUrl url = OpenUrl.of(server.target().url() + "/api/v1/query" + query);
    return new PrometheusRows(0, url, HttpFetch.standard(),
        MovedClock.of(originUtcNanos, () -> nanos));
  }

  /** Adds a series whose points are written as time and value. */
  private void stored(String name, String labels, String... points) {
    String values =
        List.of(points).stream()
            .map(point -> point.split(" "))
            .map(point -> "[" + point[0] + ",\"" + point[1] + "\"]")
            .collect(Collectors.joining(","));
    lines.add(
        "{\"metric\":{\"__name__\":\"" + name + "\"" + (labels.isEmpty() ? "" : ",") + labels
            + "},\"values\":[" + values + "]}");
  }

  private static List<Double> times(List<ScrapeRow> rows) {
    return rows.stream().map(row -> row.startedNanos() / 1e9).toList();
  }
}
