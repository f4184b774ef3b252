package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.CommandRun;
import tallystick.cli.run.RunIT;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;

/** The engine under the names of older releases. */
class ReleaseNamesTest {
  /** What the engine cannot tell: other hardware, adapters, diffusion, or what V0 alone had. */
  private static final Set<String> NOT_SIMULATED =
      Set.of(
          "lora_requests_info", "corrupted_requests", "watermark_requests",
          "num_requests_kv_fetch_by_stage", "prompt_tokens_recomputed",
          "diffusion_num_canvas_positions", "diffusion_num_committed_tokens",
          "diffusion_num_denoising_steps", "num_requests_swapped", "cpu_cache_usage_perc",
          "cpu_prefix_cache_hit_rate", "gpu_prefix_cache_hit_rate", "time_in_queue_requests",
          "model_forward_time_milliseconds", "model_execute_time_milliseconds",
          "spec_decode_draft_acceptance_rate", "spec_decode_efficiency",
          "spec_decode_num_emitted_tokens");

  @TempDir private Path folder;

  /** Release and the names in its package. */
  static List<String> releases() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                ReleaseNamesTest.class.getResourceAsStream(
                    "/simengine/vllm-names-by-release.txt"),
                StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void everyReleaseExposesTheNamesOfItsPackage(String line) {
    List<String> words = Arrays.asList(line.split(" "));
    String version = words.getFirst();
    Set<String> packaged = new TreeSet<>(words.subList(1, words.size()));
    packaged.removeAll(NOT_SIMULATED);
    String minorBefore = "0." + (Integer.parseInt(version.split("\\.")[1]) - 1);
    Set<String> shown = families(version, minorBefore);
    assertThat(shown).isEqualTo(packaged);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.7.3", "0.8.5", "0.9.2", "0.10.2", "0.11.2", "0.12.0", "0.16.0"})
  void aRunAgainstEveryReleaseReconciles(String version) throws IOException {
    JsonNode analysis = simulate("--engine-vllm-version", version);
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    for (String row : List.of("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8")) {
      assertThat(CommandRun.row(analysis, row).path("status").asText())
          .as(row)
          .isEqualTo("exact");
    }
    assertThat(analysis.at("/run/versions/engine").asText())
        .isEqualTo(version + "+tallystick.sim");
  }

  @Test
  void whatAReleaseDoesNotExposeIsSaidToBeImpossible() throws IOException {
    JsonNode analysis = simulate("--engine-vllm-version", "0.10.2");
    JsonNode tpot = analysis.path("comparisons").get(3);
    assertThat(tpot.path("quantity").asText()).isEqualTo("tpot");
    assertThat(tpot.path("verdict").asText()).isEqualTo("not_checked");
    assertThat(tpot.path("engine_mean").path("na").asText())
        .isEqualTo("the engine does not expose it");
  }

  @Test
  void hiddenNamesComeBackOnDemandOfTheReleaseBeforeOnly() {
    assertThat(families("0.13.0", "")).doesNotContain("time_per_output_token_seconds");
    assertThat(families("0.13.0", "0.12")).contains("time_per_output_token_seconds");
    assertThat(families("0.13.0", "0.11")).doesNotContain("time_per_output_token_seconds");
    assertThat(families("0.16.0", "0.15")).doesNotContain("time_per_output_token_seconds");
  }

  @Test
  void theOldEnginesSeriesTellNeitherEngineNorBeginning() {
    VirtualEngine engine = engine(Map.of("vllm-version", "0.7.2"));
    assertThat(engine.series())
        .noneMatch(series -> series.labels().containsKey("engine"))
        .noneMatch(series -> series.name().endsWith("_created"));
    assertThatThrownBy(
            () -> engine(Map.of("vllm-version", "0.7.2", "data-parallel-size", "2")))
        .hasMessageContaining("data-parallel-size must be 1");
  }

  @Test
  void aReleaseNobodyHasLookedAtIsRefused() {
    assertThatThrownBy(() -> engine(Map.of("vllm-version", "0.99")))
        .hasMessage("vllm-version must be a release from 0.7 to 0.33, was 0.99");
    assertThatThrownBy(() -> engine(Map.of("vllm-version", "latest")))
        .hasMessageContaining("was latest");
  }

  private JsonNode simulate(String... more) throws IOException {
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(
        scenario,
        RunIT.SMALL
            .replace("duration: 3s", "duration: 10s")
            .replace("warmup: {requests: 4}\n", "")
            .replace("scrape_interval: 100ms", "scrape_interval: 500ms"));
    List<String> arguments =
        new ArrayList<>(
            List.of("simulate", scenario.toString(), "--out", folder.resolve("out").toString()));
    arguments.addAll(List.of(more));
    CommandRun ran = CommandRun.of(arguments.toArray(String[]::new));
    assertThat(ran.code()).as(ran.output()).isZero();
    return CommandRun.analysis(folder.resolve("out"));
  }

  /** The engine's own families as a release calls them, without what marks their parts. */
  private static Set<String> families(String version, String showHidden) {
    return engine(Map.of("vllm-version", version, "show-hidden-metrics-for-version", showHidden))
        .series()
        .stream()
        .map(VirtualEngine.MetricSeries::name)
        .filter(name -> name.startsWith("vllm:") && !name.endsWith("_created"))
        .map(name -> name.replaceFirst("^vllm:", "").replaceFirst("_(bucket|count|sum)$", ""))
        .map(name -> name.equals("iteration_tokens_total") ? name : name.replace("_total", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static VirtualEngine engine(Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(flags);
    all.put("speculative-tokens", "2");
    EngineSettings settings = EngineFlags.settings(all);
    return new VirtualEngine(settings, 0);
  }
}
