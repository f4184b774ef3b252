package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * Truths planted around the engine in real time, over real sockets. Timings are measured here, so
 * these are no tests for a machine that does other things.
 */
@Tag("stress")
class PlantedTruthIT {
  private static final String CHAT =
      """
      name: planted
      endpoint: completions
      targets: [{url: %s, metrics_url: %s/metrics}]
      workload: {arrival: poisson, rate: 12, prompt_tokens: 60, output_tokens: 20}
      duration: 15s
      warmup: {requests: 8}
      scrape_interval: 250ms
      timeout: 30s
      """;

  /** What two runs of 15 s on a shared machine may differ by in their means: seen 0.4 ms. */
  private static final double MACHINE_SECONDS = 0.015;

  /** A busy machine makes the client late, which says nothing against the ledger. */
  private static final List<Integer> LATE_OR_NOT = List.of(0, 1, 4);

  @TempDir private Path folder;

  @Test
  void fiftyMillisecondsOfAProxyAreFoundOutsideTheEngine() throws Exception {
    try (EmbeddedEngine engine = engine();
        DelayingProxy proxy = DelayingProxy.before(URI.create(engine.url()).getPort(), 25)) {
      JsonNode direct = outside(run("direct", engine.url(), engine.url()));
      JsonNode delayed = outside(run("delayed", proxy.url(), engine.url()));
      System.out.println("outside: direct " + direct + ", through the proxy " + delayed);
      // The proxy holds everything back for at least its delay; a busy machine adds to it, never
      // takes from it. So the lower bound is sharp and the upper one is generous.
      double atLeast = 0.05 + direct.path("low").asDouble();
      assertThat(delayed.path("high").asDouble()).isGreaterThanOrEqualTo(atLeast);
      assertThat(delayed.path("low").asDouble())
          .isLessThanOrEqualTo(0.05 + direct.path("high").asDouble() + MACHINE_SECONDS);
      assertThat(delayed.path("low").asDouble()).isGreaterThan(direct.path("high").asDouble());
    }
  }

  @Test
  void onePercentOfForeignTrafficIsFound() throws Exception {
    try (EmbeddedEngine engine = engine()) {
      Thread stranger = Thread.ofPlatform().daemon().unstarted(() -> send(engine.url()));
      stranger.start();
      JsonNode analysis = run("foreign", engine.url(), engine.url());
      stranger.join(TimeUnit.SECONDS.toMillis(30));
      assertThat(analysis.path("findings").findValuesAsText("code")).contains("foreign_traffic");
      assertThat(CommandRun.row(analysis, "R1").path("difference").asInt()).isEqualTo(2);
    }
  }

  private static EmbeddedEngine engine() {
    return EmbeddedEngine.start(
        EngineSettings.ofFlags(Map.of("seed", "3")), "127.0.0.1", 0);
  }

  private JsonNode run(String name, String url, String metricsUrl) throws Exception {
    Path out = folder.resolve(name);
    Files.createDirectories(out);
    Path scenario = folder.resolve(name + ".yaml");
    Files.writeString(scenario, CHAT.formatted(url, metricsUrl));
    CommandRun ran = CommandRun.of("run", scenario.toString(), "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isIn(LATE_OR_NOT);
    return CommandRun.analysis(out);
  }

  private static JsonNode outside(JsonNode analysis) {
    for (JsonNode part : analysis.path("decompositions").get(0).path("parts")) {
      if (part.path("name").asText().equals("outside")) {
        return part.path("mean");
      }
    }
    throw new AssertionError(analysis.path("decompositions").toString());
  }

  /** Two requests once the run's own have begun to arrive. */
  private static void send(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (served(client, url) < 40) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      for (int i = 0; i < 2; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"tiny\",\"prompt\":\"a stranger\",\"max_tokens\":5}"))
                .build();
        client.send(request, HttpResponse.BodyHandlers.ofString());
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double served(HttpClient client, String url)
      throws java.io.IOException, InterruptedException {
    String text =
        client
            .send(
                HttpRequest.newBuilder(URI.create(url + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith("vllm:time_to_first_token_seconds_count"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
