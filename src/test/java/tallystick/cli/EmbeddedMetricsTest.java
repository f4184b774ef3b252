package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.cli.option.EngineFlags;
import tallystick.simengine.EmbeddedEngine;

/** What the harness reads of the live embedded engine, under every name. */
class EmbeddedMetricsTest {

  @Test
  void theDoctorReadsTheMountedApplicationToo() throws Exception {
    try (EmbeddedEngine engine = start(Map.of())) {
      CommandRun ran = doctor(engine, "--metrics-url", engine.url() + "/metrics/");
      assertThat(ran.code()).as(ran.output()).isZero();
      assertThat(words(ran))
          .contains("text/plain; version=1.0.0; charset=utf-8")
          .containsPattern(
              "clock: the server's is between -\\d\\.\\d+ and \\+\\d\\.\\d+ s of ours");
    }
  }

  @Test
  void theDoctorNamesTheVersionItsOlderNamesAndWhatIsImpossible() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("vllm-version", "0.10.2"))) {
      String said = words(doctor(engine));
      assertThat(said)
          .contains("version 0.10.2+tallystick.sim")
          .contains(
              "vllm:gpu_cache_usage_perc, in vLLM deprecated 0.9.2, hidden 0.11, removed 0.12; the"
                  + " current name is vllm:kv_cache_usage_perc")
          .contains(
              "vllm:time_per_output_token_seconds, in vLLM deprecated 0.10.2, hidden 0.12, removed"
                  + " 0.15; the current name is vllm:inter_token_latency_seconds");
    }
  }

  @Test
  void theDoctorNamesWhatTheReleaseHides() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("vllm-version", "0.13.0"))) {
      assertThat(words(doctor(engine)))
          .contains(
              "vllm:time_per_output_token_seconds is hidden here;"
                  + " --show-hidden-metrics-for-version=0.12 shows it");
    }
  }

  @Test
  void theDoctorCountsTheEngines() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("data-parallel-size", "3"))) {
      assertThat(words(doctor(engine)))
          .contains("3 engines: counters are added, gauges kept apart: 0, 1, 2");
    }
  }

  @Test
  void theDoctorAndASnapshotSpeakOfAnotherFamilyInItsNames() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("family", "sglang"))) {
      post(engine, "{\"prompt\":[9,8,7],\"max_tokens\":5,\"ignore_eos\":true}");
      assertThat(words(doctor(engine)))
          .contains("version 0.5.23+tallystick.sim", "model tiny")
          .contains("SGLang does not tell decode_time, so unknown")
          .contains("restart shows only by counters that fall")
          .doesNotContain("vllm:", "iteration_tokens", "is absent");
      CommandRun snapshot =
          CommandRun.of(
              "snapshot", engine.url(), "--all", "--warn",
              "token_usage>0.9", "--warn", "kv_cache_usage_perc>0.9");
      assertThat(snapshot.code()).as(snapshot.output()).isZero();
      assertThat(snapshot.output())
          .contains("sglang:generation_tokens")
          .doesNotContain("vllm:", "UNKNOWN");
    }
  }

  private static CommandRun doctor(EmbeddedEngine engine, String... more) {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "doctor", "--target", engine.url(), "--scrapes", "2", "--every", "50ms",
                "--verbose"));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  /** What was printed, on one line and with single blanks. */
  private static String words(CommandRun ran) {
    return ran.output().replaceAll("\\s+", " ");
  }

  private static EmbeddedEngine start(Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(flags);
    all.put("profile", "zero");
    return EmbeddedEngine.start(EngineFlags.settings(all), "127.0.0.1", 0);
  }

  private static void post(EmbeddedEngine engine, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(engine.url() + "/v1/completions"))
            .timeout(Duration.ofSeconds(20))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    assertThat(
            HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(200);
  }
}
