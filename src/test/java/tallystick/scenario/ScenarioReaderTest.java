package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.scenario.Scenario.Extent;

class ScenarioReaderTest {
  private static final String GOOD =
      """
      name: chat
      workload:
        arrival: poisson
        rate: 4
        prompt_tokens: 256
        output_tokens: {uniform: [32, 128]}
      duration: 60s
      """;

  @TempDir private Path folder;

  @Test
  void readsWhatIsWrittenAndFillsInTheRest() {
    Scenario scenario = read(GOOD);

    assertThat(scenario.name()).isEqualTo("chat");
    assertThat(scenario.targets()).isEmpty();
    assertThat(scenario.model()).isEmpty();
    assertThat(scenario.endpoint()).isEqualTo(Endpoint.CHAT_COMPLETIONS);
    assertThat(scenario.workload().arrival())
        .isEqualTo(new Arrival.Open(new Rate.Steady(4), Arrival.Open.POISSON, 0));
    assertThat(scenario.workload().classes().get(0).outputTokens())
        .isEqualTo(new Lengths.Uniform(32, 128));
    assertThat(scenario.extent()).isEqualTo(new Extent(60_000_000_000L, 0));
    assertThat(scenario.warmup()).isEqualTo(new Extent(0, 16));
    assertThat(scenario.seed()).isEqualTo(1);
    assertThat(scenario.limits().scrapeIntervalNanos()).isEqualTo(1_000_000_000L);
    assertThat(scenario.request().ignoreEos()).isTrue();
  }

  @Test
  void readsEveryKeyOfTheFirstLevel() {
    Scenario scenario =
        read(
            """
            targets:
              - http://127.0.0.1:8000/
              - {url: "https://gpu2:8443", metrics_url: "http://gpu2:9090/metrics", weight: 2}
            model: tiny
            endpoint: completions
            workload: {concurrency: 16, prompt_tokens: 64, output_tokens: 200}
            duration: 1m
            requests: 500
            warmup: {duration: 10s}
            seed: -7
            objectives:
              - {ttft: 500ms, share: 99%}
              - {largest_gap: 2s, share: 0.95}
            scrape_interval: 500ms
            timeout: 5m
            request: {ignore_eos: false, same_prompts: true, continuous_usage: false}
            engine: {num_gpu_blocks_override: 140, enable_prefix_caching: true}
            labels: {gpu: H100}
            """,
            List.of(),
            List.of("commit=abc"));

    assertThat(scenario.name()).isEqualTo("x");
    assertThat(scenario.targets())
        .containsExactly(
            new Target("http://127.0.0.1:8000", "http://127.0.0.1:8000/metrics", 1),
            new Target("https://gpu2:8443", "http://gpu2:9090/metrics", 2));
    assertThat(scenario.workload().arrival()).isEqualTo(new Arrival.Closed(16));
    assertThat(scenario.extent()).isEqualTo(new Extent(60_000_000_000L, 500));
    assertThat(scenario.warmup()).isEqualTo(new Extent(10_000_000_000L, 0));
    assertThat(scenario.seed()).isEqualTo(-7);
    assertThat(scenario.objectives())
        .containsExactly(
            new Objective(Objective.Metric.TTFT, 0.5, 0.99, ""),
            new Objective(Objective.Metric.LARGEST_GAP, 2, 0.95, ""));
    assertThat(scenario.limits()).isEqualTo(new Scenario.Limits(500_000_000L, 300_000_000_000L));
    assertThat(scenario.request().samePrompts()).isTrue();
    assertThat(scenario.engine())
        .containsEntry("num_gpu_blocks_override", "140")
        .containsEntry("enable_prefix_caching", "true");
    assertThat(scenario.labels()).containsEntry("gpu", "H100").containsEntry("commit", "abc");
  }

  @Test
  void namesFileLineAndTheNearestKey() {
    ScenarioException mistake = mistakeIn(GOOD.replace("rate:", "raet:"));

    assertThat(mistake.line()).isEqualTo(4);
    assertThat(mistake.file()).endsWith("x.yaml");
    assertThat(mistake.problem()).isEqualTo("unknown key \"raet\" in workload");
    assertThat(mistake.remedy()).isEqualTo("did you mean \"rate\"?");
    assertThat(mistake)
        .hasMessageEndingWith(
            "x.yaml:4: unknown key \"raet\" in workload; did you mean \"rate\"?");
  }

  @Test
  void listsTheValidKeysWhereNoneIsNear() {
    assertThat(mistakeIn(GOOD + "zzzzzzzz: 1\n").remedy()).startsWith("valid are name, target");
  }

  /** Each row: the good line, what stands in its place, the line named, words of the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate: 4 | rate: 0 | 4 | workload.rate must be above 0, was 0; write for example rate: 8",
        "rate: 4 | rate: -3 | 4 | workload.rate must be above 0, was -3",
        "rate: 4 | rate: \"8\" | 4 | workload.rate must be a number, was \"8\"",
        "rate: 4 | rate: fast | 4 | workload.rate must be a number, was \"fast\"",
        "rate: 4 | rate: [4] | 4 | workload.rate must be a number, was a list of 1",
        "rate: 4 | rate: {a: 1} | 4 | workload.rate",
        "rate: 4 | rate: | 4 | workload.rate must be a number, was nothing",
        "rate: 4 | rate: .inf | 4 | workload.rate must be a number",
        "rate: 4 | rate: 1e999 | 4 | workload.rate must be a number",
        "rate: 4 | rate: 0x10 | 4 | workload.rate must be a number",
        "rate: 4 | rate: 2000000 | 4 | workload.rate must be at most 1000000",
        "rate: 4 | rate: true | 4 | workload.rate must be a number, was true",
        "rate: 4 | seed: 4 | 4 | unknown key \"seed\" in workload",
        "arrival: poisson | arrival: poison | 3 | did you mean \"poisson\"?",
        "arrival: poisson | arrival: gamma | 3 | needs its burstiness",
        "arrival: poisson | arrival: {gamma: 0} | 3 | must be above 0",
        "arrival: poisson | arrival: closed | 4 | workload.rate has no meaning here",
        "prompt_tokens: 256 | prompt_tokens: 0 | 5 | must be between 1 and 10000000, was 0",
        "prompt_tokens: 256 | prompt_tokens: 1.5 | 5 | must be a whole number, was 1.5",
        "prompt_tokens: 256 | prompt_tokens: {normal: 3, fixed: 1} | 5 | ",
        "output_tokens: {uniform: [32, 128]} | output_tokens: {uniform: [9, 3]} | 6 | from 9 down",
        "output_tokens: {uniform: [32, 128]} | output_tokens: {uniform: [9]} | 6 | two numbers",
        "output_tokens: {uniform: [32, 128]} | output_tokens: {unifrom: [1, 2]} | 6 | \"uniform\"",
        "duration: 60s | duration: 60 | 7 | duration has no unit: 60; write 60s for seconds",
        "duration: 60s | duration: 0s | 7 | duration must be above 0",
        "duration: 60s | duration: -1s | 7 | duration must be from 0 to 30 days",
        "duration: 60s | duration: 6 parsecs | 7 | unknown unit \"parsecs\"; use us, ms, s, m or h",
        "duration: 60s | duration: long | 7 | duration must be a length of time",
        "duration: 60s | requests: 0 | 7 | requests must be between 1 and 10000000, was 0",
        "duration: 60s | requests: 1.5 | 7 | requests must be a whole number",
        "duration: 60s | target: localhost:8000 | 1 | duration and requests",
        "name: chat | target: ftp://h | 1 | target must be an http or https URL",
        "name: chat | target: http://h/v1 | 1 | leave out /v1",
        "name: chat | target: http://u:p@h | 1 | holds a user name or password",
        "name: chat | target: {url: 'http://h', weight: -1} | 1 | weight must be at least 0",
        "name: chat | targets: [] | 1 | targets is an empty list",
        "name: chat | endpoint: chat | 1 | unknown endpoint \"chat\"",
        "name: chat | seed: 1.5 | 1 | seed must be a whole number",
        "name: chat | seed: 99999999999999999999 | 1 | seed must be within 64 bits",
        "name: chat | warmup: 16 | 1 | warmup: {requests: 16}",
        "name: chat | warmup: {} | 1 | warmup says nothing",
        "name: chat | objectives: {ttft: 1s} | 1 | objectives must be a list",
        "name: chat | objectives: [{ttft: 1s}] | 1 | objectives[0].share is missing",
        "name: chat | objectives: [{ttft: 1s, share: 1}] | 1 | must be above 0 and below 1, was 1",
        "name: chat | objectives: [{share: 0.9}] | 1 | judges nothing",
        "name: chat | objectives: [{ttft: 1s, itl: 1s, share: 0.9}] | 1 | judges ttft and itl",
        "name: chat | objectives: [{ttft: 500, share: 0.9}] | 1 | has no unit: 500",
        "name: chat | objectives: [{tftt: 5s, share: 0.9}] | 1 | did you mean \"ttft\"?",
        "name: chat | objectives: [{ttft: 5s, share: 0.9, class: x}] | 1 | no class \"x\"",
        "name: chat | labels: [a] | 1 | labels must be keys and values",
        "name: chat | labels: {9a: x} | 1 | is no label name",
        "name: chat | request: {ignore_eos: 1} | 1 | must be true or false, was 1",
        "name: chat | workload: {} | 2 | key \"workload\" is written twice",
        "name: chat | name: *a | 1 | aliases are not read",
        "name: chat | name: {a: | 2 | not valid YAML",
      })
  void saysWhatIsWrongWhereAndWhatToWrite(String good, String bad, int line, String words) {
    ScenarioException mistake = mistakeIn(GOOD.replace(good, bad));

    assertThat(mistake).hasMessageContaining(words == null ? "" : words);
    assertThat(mistake.line()).as(mistake.getMessage()).isEqualTo(line);
    assertThat(mistake.remedy()).isNotBlank();
  }

  @Test
  void refusesTabsEmptyFilesSecondDocumentsAndPlainText() {
    assertThat(mistakeIn("workload:\n\trate: 4\n")).hasMessageContaining("x.yaml:2: tab");
    assertThat(mistakeIn("")).hasMessageContaining("empty");
    assertThat(mistakeIn("# only a comment\n")).hasMessageContaining("empty");
    assertThat(mistakeIn(GOOD + "---\nname: b\n")).hasMessageContaining("second document");
    assertThat(mistakeIn("hello\n")).hasMessageContaining("must be keys and values");
    assertThat(mistakeIn("- a\n")).hasMessageContaining("must be keys and values");
  }

  @Test
  void refusesFilesThatAreNotThereOrNotText() throws IOException {
    assertThatThrownBy(() -> ScenarioReader.read(folder.resolve("no.yaml"), List.of(), List.of()))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("no.yaml: no such file");
    assertThatThrownBy(() -> ScenarioReader.read(folder, List.of(), List.of()))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("not a file");
    Path binary = Files.write(folder.resolve("x.bin"), new byte[] {(byte) 0xFF, 0, 1});
    assertThatThrownBy(() -> ScenarioReader.read(binary, List.of(), List.of()))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void overridesAnyValue() {
    Scenario scenario =
        read(
            GOOD,
            List.of(
                "workload.rate=8",
                "workload.output_tokens={uniform: [1, 2]}",
                "objectives=[{ttft: 1s, share: 0.9}]",
                "objectives.0.share=0.95",
                "target=http://h:1",
                "duration=",
                "requests=7"),
            List.of());

    assertThat(scenario.workload().arrival())
        .isEqualTo(new Arrival.Open(new Rate.Steady(8), 1, 0));
    assertThat(scenario.objectives().get(0).share()).isEqualTo(0.95);
    assertThat(scenario.targets()).containsExactly(Target.at("http://h:1"));
    assertThat(scenario.extent()).isEqualTo(new Extent(0, 7));
  }

  @Test
  void aTargetOverrideReplacesTheFilesTargets() {
    Scenario scenario =
        read(GOOD + "targets: [http://a, http://b]\n", List.of("target=http://c"), List.of());

    assertThat(scenario.targets()).containsExactly(Target.at("http://c"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "workload.raet=8 | --set workload.raet=8: unknown key \"raet\"",
        "workload.rate=0 | --set workload.rate=0: workload.rate must be above 0",
        "workload.rate | --set workload.rate: no key and value",
        "=8 | --set =8: no key and value",
        "workload..rate=8 | an empty key",
        "duration.x=8 | cannot be set inside \"60s\"",
        "duration=[ | not valid YAML",
      })
  void namesTheOverrideThatIsWrong(String override, String words) {
    ScenarioException mistake =
        catchThrowableOfType(
            ScenarioException.class, () -> read(GOOD, List.of(override), List.of()));

    assertThat(mistake).hasMessageContaining(words);
    assertThat(mistake.line()).isZero();
    assertThat(mistake.file()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gpu", "=x", "9=x", "a-b=c"})
  void namesTheLabelThatIsWrong(String label) {
    assertThatThrownBy(() -> read(GOOD, List.of(), List.of(label)))
        .isInstanceOf(ScenarioException.class)
        .hasMessageStartingWith("--label " + label + ":");
  }

  private Scenario read(String text) {
    return read(text, List.of(), List.of());
  }

  private Scenario read(String text, List<String> overrides, List<String> labels) {
    Path file = folder.resolve("x.yaml");
    assertDoesNotThrow(() -> Files.writeString(file, text, StandardCharsets.UTF_8));
    return ScenarioReader.read(file, overrides, labels);
  }

  private ScenarioException mistakeIn(String text) {
    ScenarioException mistake =
        catchThrowableOfType(ScenarioException.class, () -> read(text));
    assertThat(mistake).as("no mistake found in:%n%s", text).isNotNull();
    return mistake;
  }
}
