package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
      targets:
        - {url: "%s", metrics_url: "%s/metrics", role: decode}
        - {url: "%s", role: prefill}
      workload: {arrival: poisson, rate: 10, prompt_tokens: 16, output_tokens: 8}
      duration: 3s
      warmup: {requests: 2}
      scrape_interval: 100ms
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
    JsonNode rows = analysis.at("/reconciliation/rows");
    double requests = row(rows, "R2").path("client").asDouble();
    assertThat(requests).isPositive();
    assertThat(row(rows, "R10").path("engine").asDouble()).isEqualTo(requests);
    assertThat(row(rows, "R11").path("engine")).isEqualTo(row(rows, "R3").path("client"));
    assertThat(row(rows, "R12").path("engine").asDouble()).isEqualTo(requests);
    JsonNode ttft = analysis.at("/decompositions/0");
    double parts = 0;
    boolean hasPool = false;
    for (JsonNode part : ttft.path("parts")) {
      parts += part.at("/mean/value").asDouble();
      hasPool |= part.path("name").asText().equals("prefill_pool");
    }
    assertThat(hasPool).as(ttft.toPrettyString()).isTrue();
    assertThat(parts).isCloseTo(ttft.at("/whole/value").asDouble(), within(1e-9));
  }

  private static JsonNode row(JsonNode rows, String id) {
    for (JsonNode row : rows) {
      if (row.path("id").asText().equals(id)) {
        return row;
      }
    }
    throw new AssertionError(id + " is not among " + rows);
  }
}
