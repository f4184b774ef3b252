package tallystick.export;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scrape.PrometheusProcess;

/** An export, loaded into a real Prometheus by promtool and asked for again. */
@NeedsProgram("promtool")
class PrometheusSinkTest {
  private static final long SECOND = 1_000_000_000L;

  /** Yesterday at a whole hour, so that all points lie in one block that is old enough. */
  private static final long ORIGIN_SECONDS =
      Instant.now().getEpochSecond() / 7200 * 7200 - 24 * 3600;

  @TempDir private Path folder;

  @Test
  void answersQueriesWithTheRecordedValues() throws Exception {
    Path file = folder.resolve("metrics.om");
    try (var out = Files.newBufferedWriter(file)) {
      RunRows rows = MadeRows.record(ORIGIN_SECONDS * SECOND, requests(), scrapes());
      new OpenMetricsExport(rows).write(out);
    }
    load(file);
    try (PrometheusProcess prometheus = PrometheusProcess.start(folder, "")) {
      long end = ORIGIN_SECONDS + 60;
      assertThat(query(prometheus, "vllm:generation_tokens_total[100s]", end).path("values"))
          .hasSize(60)
          .allSatisfy(
              point ->
                  assertThat(point.path(1).asDouble())
                      .isEqualTo(25 * (point.path(0).asDouble() - ORIGIN_SECONDS)));
      assertThat(number(prometheus, "increase(vllm:generation_tokens_total[50s])", end))
          .isEqualTo(25 * 50.0);
      assertThat(number(prometheus, "tally_requests_ended_total{outcome=\"ok\"}", end))
          .isEqualTo(40);
      // Forty first tokens took 0.3 s: the bucket from 0.25 to 0.5 s, its middle the median.
      String median =
          "histogram_quantile(0.5, tally_time_to_first_token_seconds_bucket{from=\"started\"})";
      assertThat(number(prometheus, median, end)).isEqualTo(0.375);
    }
  }

  private static List<RequestRow> requests() {
    List<RequestRow> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long started = i * SECOND;
      rows.add(MadeRows.request(i, started, started, started + SECOND * 3 / 10, started + SECOND));
    }
    return rows;
  }

  private static List<ScrapeRow> scrapes() {
    Series series =
        Series.of("vllm:generation_tokens_total", Map.of("engine", "0"), Series.Type.COUNTER);
    List<ScrapeRow> rows = new ArrayList<>();
    for (int second = 1; second <= 60; second++) {
      long at = second * SECOND;
      rows.add(new ScrapeRow(0, at, at, List.of(new Sample(series, 25.0 * second)), ""));
    }
    return rows;
  }

  private void load(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "promtool",
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                file.toString(),
                folder.resolve("data").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("promtool.log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(folder.resolve("promtool.log")))
        .isZero();
  }

  private static double number(PrometheusProcess prometheus, String expression, long atSeconds)
      throws IOException, InterruptedException {
    return query(prometheus, expression, atSeconds).path("value").path(1).asDouble();
  }

  private static JsonNode query(PrometheusProcess prometheus, String expression, long atSeconds)
      throws IOException, InterruptedException {
    String address =
        prometheus.url() + "/api/v1/query?time=" + atSeconds + "&query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).GET().build();
      String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      JsonNode result = new ObjectMapper().readTree(body).path("data").path("result");
      assertThat(result).as(expression + " gave " + body).hasSize(1);
      return result.get(0);
    }
  }
}
