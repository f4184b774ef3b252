package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.scrape.PrometheusProcess;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** One run whose engine is read twice: from a real Prometheus that scrapes it, and directly. */
@NeedsProgram("promtool")
class RunThroughPrometheusTest {
  private static final String SCENARIO =
      """
      name: twice
      endpoint: chat/completions
      target: {url: %1$s, metrics_url: "%2$s/api/v1/query?job=vllm&instance=%3$s"}
      workload: {arrival: poisson, rate: 20, prompt_tokens: 16, output_tokens: 8}
      duration: 4s
      warmup: {requests: 2}
      exporters:
        - name: direct
          url: %1$s/metrics
          metrics:
            requests: vllm:request_success
            prompt_tokens: vllm:prompt_tokens
            output_tokens: vllm:generation_tokens
            ttft: vllm:time_to_first_token_seconds
            itl: vllm:inter_token_latency_seconds
      """;

  @TempDir private Path folder;

  @Test
  void bothSourcesGiveTheSameGrowthAndTheLedgerCloses() throws Exception {
    EngineSettings settings = EngineSettings.ofFlags(Map.of());
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      String address = engine.url().replace("http://", "");
      try (PrometheusProcess prometheus = PrometheusProcess.start(folder, address)) {
        awaitFirstScrape(engine.url(), prometheus.url(), address);
        CommandRun ran = run(SCENARIO.formatted(engine.url(), prometheus.url(), address));
        assertThat(ran.output()).contains("Ledger: reconciled");
      }
    }
    JsonNode points = CommandRun.analysis(folder.resolve("out")).at("/surroundings/points");
    JsonNode direct = point(points, "direct");
    JsonNode stored = point(points, "engine");
    assertThat(direct.path("counts")).isEqualTo(stored.path("counts"));
    assertThat(direct.at("/counts/requests").asLong()).isPositive();
    assertThat(direct.path("latencies").path("ttft"))
        .isEqualTo(stored.path("latencies").path("ttft"));
    assertThat(direct.at("/distributions/itl/buckets"))
        .isEqualTo(stored.at("/distributions/itl/buckets"));
  }

  private CommandRun run(String scenario) throws Exception {
    Path file = Files.writeString(folder.resolve("twice.yaml"), scenario);
    return CommandRun.of(
        "run", "--verbose", file.toString(), "--out", folder.resolve("out").toString());
  }

  /** Before it, the Prometheus has nothing to say of the engine. */
  private static void awaitFirstScrape(String engine, String prometheus, String address) {
    String stored = prometheus + "/api/v1/query?job=vllm&instance=" + address;
    CommandRun seen;
    long deadline = System.nanoTime() + 60_000_000_000L;
    do {
      seen = CommandRun.of(
          "doctor", "--target", engine, "--metrics-url", stored, "--scrapes", "1");
      assertThat(System.nanoTime()).as(seen.output()).isLessThan(deadline);
    } while (seen.code() != 0);
  }

  private static JsonNode point(JsonNode points, String name) {
    for (JsonNode point : points) {
      if (point.path("name").asText().equals(name)) {
        return point;
      }
    }
    throw new AssertionError("no point " + name + " in " + points);
  }
}
