package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.CommandRun;

/** {@code --fix} writes present names into expressions and leaves every other letter alone. */
class LintFixTest {
  private static final Path BOARDS = Path.of("src/test/resources/lint/boards");

  @TempDir private Path folder;

  @Test
  void aDashboardIsMendedInItsQueriesAlone() throws IOException {
    String old = Files.readString(BOARDS.resolve("grafana.json"));
    String expected =
        old.replace("\"query\": \"label_values(vllm:gpu_", "\"query\": \"label_values(vllm:kv_")
            .replace("\"expr\": \"vllm:gpu_cache", "\"expr\": \"vllm:kv_cache")
            .replace("vllm:time_per_output_token_seconds_b", "vllm:inter_token_latency_seconds_b");
    assertThat(fixed("grafana.json", old)).isEqualTo(expected);
    assertThat(expected)
        .contains("\"description\": \"vllm:gpu_cache_usage_perc\"")
        .contains("\"legendFormat\": \"vllm:gpu_cache_usage_perc\"");
  }

  @ParameterizedTest
  @CsvSource({"perses.yaml", "bundle.yaml"})
  void yamlAndADashboardWithinItAreMended(String name) throws IOException {
    String old = Files.readString(BOARDS.resolve(name));
    assertThat(fixed(name, old))
        .isEqualTo(old.replace("vllm:gpu_cache_usage_perc", "vllm:kv_cache_usage_perc"));
  }

  @Test
  void rulesKeepTheirCommentsAndTheirForm() throws IOException {
    String rules =
        """
        # vllm:gpu_cache_usage_perc é \uD83D\uDE00
        groups:
        - {name: n, rules: [{record: "vllm:gpu_cache_usage_perc", expr: x}]} # gpu_cache_usage_perc
        - name: g\r
          rules:\r
          - alert: Full  # vllm:cpu_cache_usage_perc
            expr: >-
              max(ray_vllm_gpu_cache_usage_perc) > 0.9 and
              max by (x) (vllm:gpu_cache_usage_perc_other) > 1
            annotations: {summary: "\uD83D\uDE00 vllm:gpu_cache_usage_perc"}
        """;
    assertThat(fixed("rules.yaml", rules))
        .isEqualTo(rules.replace("max(ray_vllm_gpu_cache", "max(ray_vllm_kv_cache"));
  }

  @Test
  void whatIsSoundIsNotWritten() throws IOException {
    Path file = folder.resolve("sound.json");
    Files.writeString(
        file, "{\"panels\":[{\"targets\":[{\"expr\":\"vllm:kv_cache_usage_perc\"}]}]}");
    assertThat(file.toFile().setReadOnly()).isTrue();
    assertThat(CommandRun.of("lint", file.toString(), "--fix").code()).isZero();
  }

  private String fixed(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    CommandRun run = CommandRun.of("lint", file.toString(), "--fix");
    assertThat(run.output()).contains("MENDED   ");
    return Files.readString(file);
  }
}
