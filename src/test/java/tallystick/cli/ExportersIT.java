package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.exit.ExitCode;
import tallystick.runrecord.RecordFiles;

/** A run on the embedded engine beside which exporters are scraped. */
class ExportersIT {
  private static final String SCENARIO =
      """
      name: beside
      endpoint: chat/completions
      workload: {arrival: poisson, rate: 20, prompt_tokens: 16, output_tokens: 8}
      duration: 2s
      warmup: {requests: 2}
      scrape_interval: 100ms
      """;

  @TempDir private Path folder;

  @Test
  void telemetryAndTheHttpLayerStandInTheReport() throws Exception {
    try (StubServer exporter = StubServer.start(Map.of("/metrics", sample()))) {
      CommandRun ran =
          run(SCENARIO + "exporters: [{name: gpu, url: '" + exporter.url() + "/metrics'}]\n");

      // A busy machine makes the client late (4), which is nothing against the telemetry.
      assertThat(ran.code()).as(ran.output()).isIn(0, 4);
      assertThat(ran.output()).contains("GPU 0 of node-a, gpu", "power mean 518 W");
    }
    JsonNode around = CommandRun.analysis(folder.resolve("out")).path("surroundings");
    JsonNode gpu = around.path("gpus").path(0);
    assertThat(gpu.at("/gauges/utilisation_percent/mean").asDouble()).isEqualTo(97);
    // Its memory temperature is 9223372036854775794, which is no temperature.
    assertThat(gpu.path("gauges").has("memory_temperature_celsius")).isFalse();
    assertThat(around.at("/gpu_energy/joules/na").asText()).contains("moved 0 times");
    JsonNode server = around.path("points").path(1);
    assertThat(server.path("name").asText()).isEqualTo("server");
    assertThat(server.at("/by_status/2xx").asLong())
        .isEqualTo(around.at("/points/0/counts/requests").asLong())
        .isPositive();
    Path run = CommandRun.onlyRun(folder.resolve("out"));
    assertThat(RecordFiles.ofRun(run).exporters()).isNotEmptyFile();
    assertThat(Files.readString(run.resolve("report.html"))).contains("GPU 0 of node-a");
  }

  @Test
  void anExporterThatDoesNotAnswerEndsTheRunBeforeItBegins() throws Exception {
    CommandRun ran =
        run(SCENARIO + "exporters: [{name: gpu, url: 'http://127.0.0.1:1/metrics'}]\n");

    assertThat(ran.code()).isEqualTo(ExitCode.WORLD_FAILED.number());
    assertThat(ran.output()).contains("exporter \"gpu\"", "--set exporters=null");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private CommandRun run(String scenario) throws Exception {
    Path file = Files.writeString(folder.resolve("beside.yaml"), scenario);
    return CommandRun.of(
        "run", "--verbose", file.toString(), "--out", folder.resolve("out").toString());
  }

  private static String sample() throws Exception {
    try (InputStream stream =
        ExportersIT.class.getResourceAsStream("/scrape/dcgm_exporter_sample.txt")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
