package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.promql.Labels;
import tallystick.promql.RuleReplay;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.scrape.PrometheusProcess;

/**
 * A real Prometheus scrapes a server whose latencies come and go, and evaluates rules with {@code
 * for} and {@code keep_firing_for}. From the samples it stored and at the moments it evaluated, our
 * own state machine gives the same {@code ALERTS} samples.
 *
 * <p>A sample bears the time at which its scrape began and is there only once the scrape has ended:
 * an evaluation between the two does not see it, and the stored data no longer tells. So the same
 * rules stand in several groups, which Prometheus evaluates at other moments of the second, and the
 * group farthest from the scrapes is compared.
 */
@NeedsProgram("promtool")
class LiveAlertStateTest {
  private static final String GROUP =
      """
      - name: live-LANE
        interval: 1s
        rules:
        - record: model:bad:ratio_rate4s
          labels: {lane: "LANE"}
          expr: |-
            1 - sum by (model_name) (rate(vllm:ttft_seconds_bucket{le="1.0"}[4s]))
            / sum by (model_name) (rate(vllm:ttft_seconds_count[4s]))
        - alert: AtOnce
          expr: model:bad:ratio_rate4s{lane="LANE"} > 0.2
          labels: {severity: page}
        - alert: Later
          expr: model:bad:ratio_rate4s{lane="LANE"} > 0.2
          for: 3s
        - alert: Kept
          expr: model:bad:ratio_rate4s{lane="LANE"} > 0.2
          for: 1s
          keep_firing_for: 5s
        - alert: NeverLongEnough
          expr: model:bad:ratio_rate4s{lane="LANE"} > 0.2
          for: 30s
        - alert: Gone
          labels: {lane: "LANE"}
          expr: absent(vllm:ttft_seconds_count)
      """;

  private static final int LANES = 6;
  private static final int SCRAPES = 36;
  private static final int ATTEMPTS = 5;

  /** What a scrape still needs after its own measured duration until its samples are there. */
  private static final long COMMIT_MILLIS = 50;

  @TempDir private Path folder;

  @Test
  void everySampleOfAlertsAgrees() throws Exception {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (agrees(Files.createDirectory(folder.resolve("attempt-" + attempt)))) {
        return;
      }
    }
    fail("in each of %d attempts every group was evaluated during a scrape", ATTEMPTS);
  }

  /** Compares the clearest group; false if each was evaluated while a scrape was under way. */
  private static boolean agrees(Path folder) throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n");
    for (int lane = 0; lane < LANES; lane++) {
      rules.append(GROUP.replace("LANE", Integer.toString(lane)));
    }
    Files.writeString(folder.resolve("rules.yml"), rules);
    AtomicInteger scrapes = new AtomicInteger();
    HttpServer engine = engine(scrapes);
    String scraped = "127.0.0.1:" + engine.getAddress().getPort();
    try (PrometheusProcess prometheus = PrometheusProcess.start(folder, scraped)) {
      while (scrapes.get() < SCRAPES) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
      // Read first what the rules made, then what they were told: it must hold all they saw.
      List<Lane> lanes = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        lanes.add(Lane.of(prometheus, lane));
      }
      JsonNode durations = samples(prometheus, "scrape_duration_seconds");
      JsonNode stored = samples(prometheus, "{__name__=~\"vllm:.*|up\"}");
      Lane lane =
          lanes.stream().max(Comparator.comparing(each -> each.clearance(durations))).get();
      if (lane.clearance(durations) <= 0) {
        return false;
      }
      TreeSet<String> theirs = alerts(lane.alerts(), lane.times().last());
      SeriesStore ours = replayed(stored, lane);
      assertThat(theirs).hasSizeGreaterThan(20).isEqualTo(alerts(ours));
      assertThat(theirs.toString())
          .contains("alertname=AtOnce", "alertname=Kept", "alertname=Later");
      return true;
    } finally {
      engine.stop(0);
    }
  }

  /**
   * What one group stored.
   *
   * @param times when it was evaluated; the last may have been read half
   */
  private record Lane(int number, JsonNode alerts, TreeSet<Long> times) {
    static Lane of(PrometheusProcess prometheus, int number) throws Exception {
      String label = "{lane=\"" + number + "\"}";
      JsonNode theirs = samples(prometheus, "ALERTS" + label);
      JsonNode recorded = samples(prometheus, "model:bad:ratio_rate4s" + label);
      TreeSet<Long> times = evaluations(theirs);
      long newest = times.last();
      times.addAll(evaluations(recorded));
      return new Lane(number, theirs, new TreeSet<>(times.headSet(newest, true)));
    }

    /** Least time from a scrape's end to the next evaluation; below zero if one fell into it. */
    long clearance(JsonNode durations) {
      long least = Long.MAX_VALUE;
      for (JsonNode series : durations) {
        for (JsonNode point : series.get("values")) {
          long began = millis(point);
          long took = Math.round(point.get(1).asDouble() * 1000) + COMMIT_MILLIS;
          Long next = times.ceiling(began);
          least = next == null ? least : Math.min(least, next - began - took);
        }
      }
      return least;
    }
  }

  /** Ten requests a second; every second stretch of eight scrapes half of them are slow. */
  private static HttpServer engine(AtomicInteger scrapes) throws Exception {
    AtomicInteger fast = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          int scrape = scrapes.incrementAndGet();
          int good = fast.addAndGet(scrape / 8 % 2 == 1 ? 5 : 10);
          String text =
              """
              # TYPE vllm:ttft_seconds histogram
              vllm:ttft_seconds_bucket{le="1.0",model_name="m"} %d
              vllm:ttft_seconds_bucket{le="+Inf",model_name="m"} %d
              vllm:ttft_seconds_count{model_name="m"} %d
              vllm:ttft_seconds_sum{model_name="m"} 1
              """
                  .formatted(good, scrape * 10, scrape * 10);
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static JsonNode samples(PrometheusProcess prometheus, String selector)
      throws Exception {
    String query = URLEncoder.encode(selector + "[10m]", StandardCharsets.UTF_8);
    URI uri = URI.create(prometheus.url() + "/api/v1/query?query=" + query);
    try (HttpClient client = HttpClient.newHttpClient()) {
      String body =
          client
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      return new ObjectMapper().readTree(body).at("/data/result");
    }
  }

  /** When the group was evaluated: whatever a rule stored has that time. */
  private static TreeSet<Long> evaluations(JsonNode answer) {
    TreeSet<Long> times = new TreeSet<>();
    for (JsonNode series : answer) {
      series.get("values").forEach(point -> times.add(millis(point)));
    }
    return times;
  }

  private static SeriesStore replayed(JsonNode stored, Lane lane) throws Exception {
    SeriesStore store = new SeriesStore();
    for (JsonNode series : stored) {
      Labels labels = labels(series);
      series
          .get("values")
          .forEach(point -> store.append(labels, millis(point), point.get(1).asDouble()));
    }
    String text = "groups:\n" + GROUP.replace("LANE", Integer.toString(lane.number()));
    RuleFile rules = RuleFile.read("rules.yml", text);
    RuleReplay replay =
        new RuleReplay(store, BackfilledPrometheus.version(), rules.evaluable());
    lane.times()
        .headSet(lane.times().last())
        .forEach(at -> replay.evaluate(rules.evaluable().getFirst(), at));
    return store;
  }

  private static TreeSet<String> alerts(JsonNode answer, long before) {
    TreeSet<String> lines = new TreeSet<>();
    for (JsonNode series : answer) {
      for (JsonNode point : series.get("values")) {
        if (millis(point) < before) {
          lines.add(labels(series).values() + " " + millis(point));
        }
      }
    }
    return lines;
  }

  private static TreeSet<String> alerts(SeriesStore ours) {
    TreeSet<String> lines = new TreeSet<>();
    for (StoredSeries series : ours.all()) {
      for (int i = 0; i < series.size(); i++) {
        boolean isAlert = series.labels().name().equals("ALERTS");
        if (isAlert && !StoredSeries.isStale(series.value(i))) {
          lines.add(series.labels().values() + " " + series.millis(i));
        }
      }
    }
    return lines;
  }

  private static Labels labels(JsonNode series) {
    Labels labels = Labels.EMPTY;
    for (var label : series.get("metric").properties()) {
      labels = labels.with(label.getKey(), label.getValue().asText());
    }
    return labels;
  }

  private static long millis(JsonNode point) {
    return Math.round(point.get(0).asDouble() * 1000);
  }
}
