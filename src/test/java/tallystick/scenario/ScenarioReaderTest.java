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
import org.junit.jupiter.params.provider.ValueSource;
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
    assertThat(scenario.workload().classes())
        .containsExactly(
            Workload.RequestClass.plain(
                "default", new Lengths.Fixed(256), new Lengths.Uniform(32, 128)));
    assertThat(scenario.extent()).isEqualTo(new Extent(60_000_000_000L, 0));
    assertThat(scenario.warmup()).isEqualTo(new Extent(0, 16));
    assertThat(scenario.seed()).isEqualTo(1);
    assertThat(scenario.limits().scrapeIntervalNanos()).isEqualTo(1_000_000_000L);
    assertThat(scenario.request().ignoreEos()).isTrue();
  }

  @Test
  void anObjectiveOnSessionsNeedsSomeInTheWorkload() {
    String asked = "objectives: [{session_time: 60s, share: 0.9}]\n";
    assertThat(mistakeIn(GOOD + asked).problem())
        .isEqualTo("an objective judges sessions, but the workload has only single requests");
    assertThat(mistakeIn(GOOD + asked).remedy())
        .isEqualTo("write workload.conversation, or judge e2e");
    assertThat(
            read(GOOD.replace("  rate: 4", "  rate: 4\n  conversation: {turns: 3}") + asked)
                .objectives())
        .containsExactly(new Objective(Objective.Metric.SESSION_TIME, 60, 0.9, ""));
  }

  @Test
  void aLengthOfTimeMayHaveSeveralUnits() {
    assertThat(read(GOOD.replace("60s", "1m30s")).extent().durationNanos())
        .isEqualTo(90_000_000_000L);
    assertThat(read(GOOD.replace("60s", "1m0.5s500ms")).extent().durationNanos())
        .isEqualTo(61_000_000_000L);
    assertThat(mistakeIn(GOOD.replace("60s", "1m30")).problem())
        .contains("must be a length of time");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "warmup: {request: 8} | did you mean \"requests\"?",
        "objectives: [{TTFT: 1s, share: 0.9}] | did you mean \"ttft\"?",
        "max_tokens: 64 | write output_tokens: 64 under workload:",
        "api_key: sk | Under request: it names the variable",
        "rate: 8 | write rate: 8 under workload: (workload.rate is written at",
        "engine: {faults: [{kind: stall}]} | write for example fault: \"stall:at=20s,for=2s;",
        "engine: {fault: [stall]} | write for example fault: \"stall:at=20s,for=2s;",
      })
  void sendsWhoWritesAnotherToolsWordToTheRightPlace(String line, String remedy) {
    String name = line.substring(0, line.indexOf(':'));
    String rest = GOOD.replaceAll("(?m)^" + name + ":.*(\n[ -].*)*\n", "");
    assertThat(mistakeIn(rest + line + "\n").remedy()).contains(remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'a: 1\nworkload\n  rate: 2\n' | 2 | a key without a colon",
        "'a:\n  b: 1\n c: 2\nd: 3\n' | 3 | does not fit the lines above it",
        "'a: 1\nb: 2\n- c: 3\n' | 3 | does not fit the lines above it",
        "'a: 1\nb: {c: [1, 2]\nd: 3\n' | 2 | a bracket that is not closed",
        "'a: 1\nb: c: 3\n' | 2 | a colon where YAML allows none",
        "'a: 1\nb: \"c\nd: 3\n' | 2 | a quote that is not closed",
      })
  void namesTheLineOfBrokenYamlInPlainWords(String text, int line, String words) {
    ScenarioException mistake = mistakeIn(text.replace("\\n", "\n"));

    assertThat(mistake.problem()).startsWith("not valid YAML: ").contains(words);
    assertThat(mistake.line()).isEqualTo(line);
  }

  @Test
  void saysAllMistakesInOneAnswer() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    nam: chat
                    workload:
                      arival: poisson
                      rate: fast
                      prompt_tokens: {uniform: [1]}
                      output_tokens: 64
                    duration: 60 seconds
                    objectives: [{ttft: 1s, share: 1.5}]
                    """))
        .message()
        .satisfies(
            message ->
                assertThat(message.lines().map(line -> line.replaceAll(".*yaml:(\\d+).*", "$1")))
                    .startsWith("1", "3", "4", "7", "8")
                    .last().asString().startsWith("./tally init "));
  }

  @Test
  void listsTheValidKeysWhereNoneIsNear() {
    assertThat(mistakeIn(GOOD + "zzzzzzzz: 1\n").remedy()).startsWith("valid are name, target");
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
        .hasMessageContaining("no.yaml: there is no such file");
    Path url = Path.of("http://127.0.0.1:8000");
    assertThatThrownBy(() -> ScenarioReader.read(url, List.of(), List.of()))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContainingAll("http://127.0.0.1:8000: there is no such file", "--target");
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

  @ParameterizedTest
  @ValueSource(
      strings = {"http://my_host:8000", "https://a_b.c-d", "http://[::1]:8000", "http://h:65535"})
  void takesTheHostsThatNetworksHave(String url) {
    // Container networks name hosts with an underscore.
    Scenario scenario = read(GOOD, List.of("target=" + url), List.of());

    assertThat(scenario.targets()).containsExactly(Target.at(url));
  }

  @Test
  void aPrefillTargetGetsNoRequestsAndCannotBeTheOnlyOne() {
    String two = "targets: [\"http://a:1\", {url: \"http://b:1\", role: prefill%s}]\n";
    assertThat(read(GOOD + two.formatted("")).targets().get(1))
        .isEqualTo(new Target("http://b:1", "http://b:1/metrics", 0, Target.Role.PREFILL));
    assertThatThrownBy(() -> read(GOOD + two.formatted(", weight: 1")))
        .hasMessageContaining("weight has no meaning here");
    assertThatThrownBy(() -> read(GOOD + "target: {url: \"http://b:1\", role: prefill}\n"))
        .hasMessageContaining("no target receives requests");
    assertThatThrownBy(() -> read(GOOD + "target: {url: \"http://b:1\", role: perfill}\n"))
        .hasMessageContaining("unknown role");
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
        "rate=8 | write --set workload.rate=8",
        "workload.timeout=9s | write --set timeout=9s",
        "workload={rate: 8, timeout: 9s} | write timeout: 9s at the file's first level",
        "workload.rate=0 | --set workload.rate=0: workload.rate must be above 0",
        "workload.rate | --set workload.rate: not KEY=VALUE",
        "=8 | --set =8: not KEY=VALUE",
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
