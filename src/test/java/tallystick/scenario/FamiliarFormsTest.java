package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write from memory is read as they mean it, and said. */
class FamiliarFormsTest {
  private static final String WORKLOAD =
      "workload: {rate: 4, prompt_tokens: 256, output_tokens: 64}\n";

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "objectives: {ttft_p95: 500ms} | objectives: [{ttft: 500ms, share: 0.95}]",
        "objectives: {ttft_p99: 1s, tpot_p50: 40ms}"
            + " | objectives: [{ttft: 1s, share: 0.99}, {tpot: 40ms, share: 0.5}]",
        "objectives: [{e2e_p999: 9s}] | objectives: [{e2e: 9s, share: 0.999}]",
        "objectives: {ttft: 1s, share: 0.9} | objectives: [{ttft: 1s, share: 0.9}]",
        "objectives: {ttft: {p95: 300ms, p99: 1s}}"
            + " | objectives: [{ttft: 300ms, share: 0.95}, {ttft: 1s, share: 0.99}]",
        "objectives: [{ttft: {p95: 300ms}}] | objectives: [{ttft: 300ms, share: 0.95}]",
        "objectives: [{metric: tpot, percentile: 99.9, max: 40ms}]"
            + " | objectives: [{tpot: 40ms, share: 0.999}]",
        "objectives: [{metric: e2e, percentile: p50, threshold: 4s}]"
            + " | objectives: [{e2e: 4s, share: 0.5}]",
        "objectives: [{ttft: {p95: 1s, p99: 2s}}]"
            + " | objectives: [{ttft: 1s, share: 0.95}, {ttft: 2s, share: 0.99}]",
        "objectives: [{ttft_p95: 1s, ttft_p99: 2s}]"
            + " | objectives: [{ttft: 1s, share: 0.95}, {ttft: 2s, share: 0.99}]",
        "objectives: ['p95 e2e < 3s'] | objectives: [{e2e: 3s, share: 0.95}]",
        "objectives: ['p95 ttft < 500ms'] | objectives: [{ttft: 500ms, share: 0.95}]",
        "objectives: {all_p95: [{ttft: 1s}, {tpot: 50ms}]}"
            + " | objectives: [{all: [{ttft: 1s}, {tpot: 50ms}], share: 0.95}]",
        "objectives: [TTFT P99.9 <= 2 s] | objectives: [{ttft: 2s, share: 0.999}]",
        "endpoint: chat | endpoint: chat/completions",
        "endpoint: /v1/chat/completions | endpoint: chat/completions",
        "endpoint: /v1/completions | endpoint: completions",
        "warmup: 10s | warmup: {duration: 10s}",
        "warmup: 16 | warmup: {requests: 16}",
        "warmup: {duration: 5} | warmup: {duration: 5s}",
        "stop_when: {duration: 90} | stop_when: {duration: 90s}"
      })
  void aFormIsReadAsItsOwnAndTold(String familiar, String ours) throws IOException {
    String rest = WORKLOAD + "duration: 60s\n";

    assertThat(read(rest + familiar)).isEqualTo(read(rest + ours));
    assertThat(notes).isNotEmpty().allMatch(note -> note.startsWith(file() + ":3: "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate: [1, 2, 4], prompt_tokens: 8 | rate: {steps: [1, 2, 4]}, prompt_tokens: 8",
        "rate: 1, prompt_tokens: {min: 5, max: 9} | rate: 1, prompt_tokens: {uniform: [5, 9]}",
        "rate: 1, prompt_tokens: {mean: 50, stddev: 9}"
            + " | rate: 1, prompt_tokens: {normal: {mean: 50, deviation: 9}}",
        "rate: 1, prompt_tokens: {mean: 50, std: 9, max: 80}"
            + " | rate: 1, prompt_tokens: {normal: {mean: 50, deviation: 9, max: 80}}"
      })
  void aLoadIsReadAsItIsMeant(String familiar, String ours) throws IOException {
    String text = "workload: {%s, output_tokens: 64}\nduration: 60s";

    assertThat(read(text.formatted(familiar))).isEqualTo(read(text.formatted(ours)));
    assertThat(notes).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "warmup: 5 | warmup.requests=8 | warmup: 8",
        "warmup: 10s | warmup.duration=4s | warmup: 4s",
        "warmup: 10s | warmup.duration=4 | warmup: 4s",
        "objectives: {ttft_p95: 1s} | objectives.0.ttft=2s | objectives: {ttft_p95: 2s}",
        "objectives: {ttft_p95: 1s} | objectives.ttft_p95=2s | objectives: {ttft_p95: 2s}",
        "objectives: [{ttft_p95: 1s}] | objectives.0.share=0.9"
            + " | objectives: [{ttft: 1s, share: 0.9}]",
        "objectives: [{ttft_p95: 1s}] | objectives.0.ttft_p95=2s | objectives: [{ttft_p95: 2s}]",
        "objectives: [p95 ttft < 1s] | objectives.0.ttft=2s | objectives: [p95 ttft < 2s]",
        "stop_when: {duration: 90} | stop_when.duration=80 | stop_when: {duration: 80s}",
        "target: 'http://a:1' | target.metrics_url=http://b:2/metrics"
            + " | target: {url: 'http://a:1', metrics_url: 'http://b:2/metrics'}",
        "targets: ['http://a:1', 'http://c:3'] | targets.1.weight=2"
            + " | targets: ['http://a:1', {url: 'http://c:3', weight: 2}]",
        "exporters: [{name: gpu, url: 'http://h/m', metrics: {errors: e}}]"
            + " | exporters.0.metrics.errors.by=code"
            + " | exporters:"
            + " [{name: gpu, url: 'http://h/m', metrics: {errors: {name: e, by: code}}}]",
        "request: {api_key_env: A} | request.api_key_file=x.yaml | request: {api_key_file: x.yaml}"
      })
  void whatIsSetGoesIntoTheLongFormToo(String familiar, String set, String ours)
      throws IOException {
    String rest = WORKLOAD + "duration: 60s\n";

    assertThat(read(rest + familiar, set)).isEqualTo(read(rest + ours));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate: [1, 2, 4], prompt_tokens: 8 | rate.steps.2=3 | rate: [1, 2, 3], prompt_tokens: 8",
        "rate: [1, 2, 4], prompt_tokens: 8 | rate.steps.2.rate=3"
            + " | rate: [1, 2, 3], prompt_tokens: 8",
        "rate: [1, 2, 4], prompt_tokens: 8 | rate.2=3 | rate: [1, 2, 3], prompt_tokens: 8",
        "rate: 1, prompt_tokens: {min: 5, max: 9} | prompt_tokens.uniform.1=8"
            + " | rate: 1, prompt_tokens: {uniform: [5, 8]}",
        "rate: 1, prompt_tokens: {mean: 50, stddev: 9} | prompt_tokens.normal.max=80"
            + " | rate: 1, prompt_tokens: {normal: {mean: 50, deviation: 9, max: 80}}",
        "rate: 1, prompt_tokens: {mean: 50, stddev: 9} | prompt_tokens.mean=40"
            + " | rate: 1, prompt_tokens: {normal: {mean: 40, deviation: 9}}"
      })
  void whatIsSetInAWorkloadDoesSoToo(String familiar, String set, String ours)
      throws IOException {
    String text = "workload: {%s, output_tokens: 64}\nduration: 60s";

    assertThat(read(text.formatted(familiar), "workload." + set))
        .isEqualTo(read(text.formatted(ours)));
  }

  @Test
  void secondsNeedNoUnitInADuration() throws IOException {
    assertThat(read(WORKLOAD + "duration: 300")).isEqualTo(read(WORKLOAD + "duration: 300s"));
    assertThat(notes).containsExactly(file() + ":2: duration: 300 is read as 300s");
  }

  @Test
  void aSystemPromptIsWhatAllPromptsBeginWith() throws IOException {
    String start = "workload: {rate: 4, prompt_tokens: 256, output_tokens: 64, ";

    assertThat(
            read(start + "conversation: {turns: 2, system_prompt_tokens: 512}}\nduration: 9s\n"))
        .isEqualTo(
            read(
                start + "conversation: {turns: 2}, shared_prefix: {tokens: 512}}\n"
                    + "duration: 9s\n"));
    assertThat(notes).hasSize(1).first().asString().endsWith("shared_prefix: {tokens: 512}");
  }

  @ParameterizedTest
  @CsvSource({
    "azure-sample.csv, azure", "bailian-sample.jsonl, bailian", "mooncake-sample.jsonl, mooncake",
    "prompts-sample.jsonl, jsonl", "sharegpt-sample.json, sharegpt"
  })
  void aFileTellsItsFormat(String name, String format) throws IOException {
    Files.copy(Path.of("scenarios/traces", name), folder.resolve(name));
    String start = "workload: {rate: 4, dataset: ";

    assertThat(read(start + name + "}\nduration: 9s\n"))
        .isEqualTo(
            read(start + "{format: " + format + ", file: " + name + "}}\nduration: 9s\n"));
    assertThat(notes).hasSize(1).first().asString().endsWith("is read as format: " + format);
  }

  @ParameterizedTest
  @CsvSource({"ttft_p100", "ttft_p0", "ttft_p5", "ttft_95", "rate_p95"})
  void whatIsNoPercentileIsRefused(String key) {
    assertThatThrownBy(
            () -> read(WORKLOAD + "duration: 9s\nobjectives: [{" + key + ": 1s}]\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("unknown key \"" + key + "\"");
  }

  /** None of two limits is dropped without a word, and no percentile is taken for another. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ttft: {p95: 1s}, ttft_p95: 2s}", "[{ttft_p95: 1s, ttft: 3s}]",
        "{ttft: {}, tpot: {p95: 50ms}}", "[{ttft: {}, tpot_p95: 50ms}]",
        "[{ttft_p95: 1s, tpot_p95: 50ms}]", "[{metric: ttft, percentile: 9.5, max: 1s}]",
        "[{metric: ttft, percentile: 5.0, max: 1s}]", "[{metric: ttft, percentile: 100, max: 1s}]",
        "[{metric: ttft, percentile: 0.95, max: 1s}]",
        "[{metric: ttft, percentile: 95, max: 1s, below: 2s}]",
        "[{metric: ttft, percentile: 95, max: 1s, ttft_p95: 2s}]"
      })
  void whatCannotBeToldIsRefused(String objectives) {
    assertThatThrownBy(
            () -> read(WORKLOAD + "duration: 9s\nobjectives: " + objectives + "\n"))
        .isInstanceOf(ScenarioException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\\0b\"", "no-such.json", ".", "7"})
  void aDatasetThatCannotBeReadIsRefused(String name) {
    assertThatThrownBy(() -> read("workload: {rate: 4, dataset: " + name + "}\nduration: 9s\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("dataset");
  }

  @Test
  void oursIsReadWithoutANote() throws IOException {
    read(WORKLOAD + "duration: 9s\nobjectives: [{ttft: 1s, share: 0.9}]\n");

    assertThat(notes).isEmpty();
  }

  private Path file() {
    return folder.resolve("x.yaml");
  }

  private Scenario read(String text, String... set) throws IOException {
    Files.writeString(file(), text);
    return ScenarioReader.read(file(), List.of(set), List.of(), false, notes::add);
  }
}
