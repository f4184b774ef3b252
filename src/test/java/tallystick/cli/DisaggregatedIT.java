package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Two engines behind a router: one computes prompts, the other answers. */
@Tag("stress")
class DisaggregatedIT {
  private static final String SCENARIO =
      """
      name: two-pools
      endpoint: completions
      target: {url: "%s", metrics_url: "%s/metrics"}
      workload: {arrival: poisson, rate: 10, prompt_tokens: 16, output_tokens: 8}
      duration: 3s
      warmup: {requests: 2}
      scrape_interval: 100ms
      exporters:
        - name: prefill
          url: "%s/metrics"
          metrics:
            requests: {name: "vllm:request_success", by: finished_reason}
            prompt_tokens: "vllm:prompt_tokens"
            output_tokens: "vllm:generation_tokens"
      """;

  @TempDir Path folder;

  @Test
  void bothPoolsCountTheClientsRequestsAndTheLedgerIsTheDecodePools() throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine prefill = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        EmbeddedEngine decode = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        TwoStageProxy router = TwoStageProxy.before(prefill.url(), decode.url())) {
      Path file =
          Files.writeString(
              folder.resolve("s.yaml"),
              SCENARIO.formatted(router.url(), decode.url(), prefill.url()));
      CommandRun ran =
          CommandRun.of("run", file.toString(), "--out", folder.resolve("out").toString());
      // The client may be late on a busy machine, which changes no count.
      assertThat(ran.code()).as(ran.output()).isIn(0, 4);
    }
    JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    JsonNode points = analysis.at("/surroundings/points");
    JsonNode client = point(points, "client");
    JsonNode prefill = point(points, "prefill");
    assertThat(prefill.path("requests").asDouble())
        .isEqualTo(client.path("requests").asDouble())
        .isPositive();
    assertThat(prefill.path("prompt_tokens")).isEqualTo(client.path("prompt_tokens"));
    assertThat(prefill.path("output_tokens").asDouble())
        .isEqualTo(client.path("requests").asDouble());
    assertThat(point(points, "engine").path("requests").asDouble())
        .isEqualTo(client.path("requests").asDouble());
  }

  private static JsonNode point(JsonNode points, String name) {
    for (JsonNode point : points) {
      if (point.path("name").asText().startsWith(name)) {
        return point.path("counts");
      }
    }
    throw new AssertionError(name + " is not among " + points);
  }
}
