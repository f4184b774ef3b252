package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What somebody writes who knows another tool: six first tries, word by word, and the words that
 * mean a key of ours. Where a word could mean two things nothing is guessed.
 */
class ForeignWordsTest {
  private static final Path TRIES = Path.of("src/test/resources/scenario/memory");

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void createDataSet() throws IOException {
    Files.copy(TRIES.resolve("sharegpt.json"), folder.resolve("sharegpt.json"));
  }

  @Test
  void stepsAreReadAtOnce() throws IOException {
    Scenario scenario = read(first("steps"));

    assertThat(scenario)
        .isEqualTo(
            readOurs(
                """
                target: http://127.0.0.1:8000
                model: my-model
                workload:
                  arrival: constant
                  rate: {steps: [{rate: 2, for: 60s}, {rate: 4, for: 60s}, {rate: 8, for: 60s}, \
                {rate: 16, for: 60s}]}
                  prompt_tokens: 512
                  output_tokens: 128
                objectives: [{e2e: 5s, share: 0.95}, {tpot: 50ms, share: 0.99}]
                """));
    assertThat(notes)
        .contains(
            file() + ":3: server.type: vllm is left out: it changes nothing",
            file() + ":5: server.model_name: my-model is read as model: my-model",
            file() + ":19: data.input_tokens: 512 is read as workload.prompt_tokens: 512",
            file() + ":24: {metric: e2e, percentile: 95, threshold: 5s} is read as"
                + " {e2e: 5s, share: 0.95}");
  }

  @Test
  void aRampIsReadAtOnce() throws IOException {
    assertThat(read(first("ramp")))
        .isEqualTo(
            readOurs(
                """
                name: chat
                target: http://127.0.0.1:8000
                model: my-model
                duration: 600s
                workload:
                  rate: {ramp: {from: 1, to: 20}}
                  prompt_tokens: {normal: {mean: 200, deviation: 50}}
                  output_tokens: {normal: {mean: 100, deviation: 20}}
                """));
    assertThat(notes)
        .contains(
            file() + ":5: {duration: 600, arrivalRate: 1, rampTo: 20, name: ramp} is read as"
                + " rate: {ramp: {from: 1, to: 20}} and duration: 600s");
  }

  @Test
  void aChatNeedsItsModel() throws IOException {
    assertThat(answer(first("chat")))
        .containsExactly(
            "4: model has a variable, and a scenario's variables are not expanded; write it out, or"
                + " give --set model=\"$MODEL\"");
    assertThat(read(first("chat"), "model=my-model"))
        .isEqualTo(
            readOurs(
                """
                name: chat-poisson
                target: http://localhost:8000
                model: my-model
                request: {api_key_env: OPENAI_API_KEY}
                duration: 3m
                workload: {arrival: poisson, rate: 8, prompt_tokens: 500, output_tokens: 150}
                objectives: [{ttft: 400ms, share: 0.95}, {itl: 80ms, share: 0.99}]
                """));
  }

  /** A pause of a user has a place in conversations; elsewhere its message names one. */
  @Test
  void aThresholdOfK6NeedsItsUnit() throws IOException {
    assertThat(answer(first("closed")))
        .contains(
            "12: objectives[0].ttft has no unit: 500; write 500s for seconds or 500ms for"
                + " milliseconds");
    assertThat(read(first("closed").replace("<500", "<500ms").replace("think_time: 2s\n", "")))
        .isEqualTo(
            readOurs(
                """
                target: http://127.0.0.1:8000
                model: my-model
                duration: 5m
                workload: {concurrency: 32, prompt_tokens: 300, output_tokens: 128}
                objectives: [{ttft: 500ms, share: 0.95}]
                """));
  }

  @Test
  void aConversationHasTwoMistakes() throws IOException {
    assertThat(answer(first("multiturn")))
        .containsExactly(
            "1: unknown endpoint \"http://127.0.0.1:8000/v1\"; write target:"
                + " http://127.0.0.1:8000/v1",
            "10: unknown key \"shared_prefix\" in workload.conversation; write shared_prefix:"
                + " {tokens: 512} under workload:, or remove it beside system_prompt_tokens");
    String second =
        first("multiturn").replace("endpoint:", "target:").replace("  shared_prefix: true\n", "");
    assertThat(read(second))
        .isEqualTo(
            readOurs(
                """
                target: http://127.0.0.1:8000
                model: my-model
                duration: 10m
                workload:
                  arrival: poisson
                  rate: 0.5
                  prompt_tokens: 100
                  output_tokens: 150
                  shared_prefix: {tokens: 1000}
                  conversation: {turns: 5, think_time: 4s}
                objectives: [{ttft: 500ms, share: 0.95}]
                """));
  }

  @Test
  void goodputNeedsTheShareOfEachLimit() throws IOException {
    assertThat(answer(first("replay")))
        .containsExactly(
            "12: objectives[0].share is missing; write for example {ttft: 500ms, share: 0.99}",
            "13: objectives[1].share is missing; write for example {tpot: 50ms, share: 0.99}");
    String second =
        first("replay")
            .replace("ttft: 500ms", "ttft_p95: 500ms").replace("tpot: 50ms", "tpot_p95: 50ms");
    assertThat(read(second))
        .isEqualTo(
            readOurs(
                """
                target: http://127.0.0.1:8000
                model: my-model
                workload: {rate: 3, dataset: {format: sharegpt, file: sharegpt.json}}
                requests: 300
                seed: 42
                objectives: [{ttft: 500ms, share: 0.95}, {tpot: 50ms, share: 0.95}]
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "request-rate: 3, random-input-len: 5, random-output-len: 9"
            + " | workload: {rate: 3, prompt_tokens: 5, output_tokens: 9}",
        "rate_type: constant, rate: 8, data: {prompt_tokens: 5, output_tokens: 9}"
            + " | workload: {arrival: constant, rate: 8, prompt_tokens: 5, output_tokens: 9}",
        "workload: {users: 3, isl: 5, osl: 9}"
            + " | workload: {concurrency: 3, prompt_tokens: 5, output_tokens: 9}",
        "workload: {rate: 1, dataset: {name: sharegpt, path: sharegpt.json}}"
            + " | workload: {rate: 1, dataset: {format: sharegpt, file: sharegpt.json}}",
        "dataset_name: sharegpt, dataset_path: sharegpt.json, rps: 3, burstiness: 0.5"
            + " | workload: {rate: 3, arrival: {gamma: 0.5},"
            + " dataset: {format: sharegpt, file: sharegpt.json}}",
        "workload: {rate: {from: 1, to: 9}, prompt_tokens: 5, output_tokens: 9}"
            + " | workload: {rate: {ramp: {from: 1, to: 9}}, prompt_tokens: 5, output_tokens: 9}",
        "pause: 2s, workload: {rate: 1, turns: 4, prompt_tokens: 5, output_tokens: 9}"
            + " | workload: {rate: 1, conversation: {turns: 4, think_time: 2s},"
            + " prompt_tokens: 5, output_tokens: 9}",
        "workload: {rate: 1, conversation: {turns: 4, prompt_tokens: 5, output_tokens: 9}}"
            + " | workload: {rate: 1, conversation: {turns: 4},"
            + " prompt_tokens: 5, output_tokens: 9}",
        "scrape-interval: 2s, workload: {rate: 1, prompt_tokens: 5, output_tokens: 9, timeout: 9s}"
            + " | scrape_interval: 2s, timeout: 9s,"
            + " workload: {rate: 1, prompt_tokens: 5, output_tokens: 9}"
      })
  void aWordThatMeansAKeyIsReadAsIt(String foreign, String ours) throws IOException {
    assertThat(read("{" + foreign + ", max_seconds: 60}"))
        .isEqualTo(readOurs("{" + ours + ", duration: 60s}"));
    assertThat(notes).allMatch(note -> note.matches(".*/x.yaml:1: .* is read as .*"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max_tokens: 9 | write output_tokens: 9 under workload: (workload.output_tokens is written",
        "rps: 3 | write rate: 3 under workload: (workload.rate is written at ",
        "vus: 3, users: 4 | write concurrency: 3 under workload: (workload.concurrency is written",
        "think_time: soon, model_env: A | write model: NAME, or give --set model=\"$MODEL\"",
        "measurement_interval: 60 | write duration: 60s",
        "stages: [{duration: 10m, target: 20}] | (workload.rate is written at ",
        "vus: many | write concurrency: 16 under workload:",
        "cooldown: {duration: 10s} | valid are name,",
        "model: '{{ env.MODEL }}' | give --set model=\"$MODEL\"",
        "target: 'http://$HOST:8000' | give --set target=\"http://$HOST:8000\"",
        "objectives: [{ttft: 1s, percentile: 99.9}] | write share: 0.999",
        "request: {seed: 42} | unknown key \"seed\" in request",
        "target: {url: 'http://a', concurrency: 4} | unknown key \"concurrency\" in target",
        "load: {n: 100} | unknown key",
        "server: {api_key: abc} | unknown key \"server.api_key\" in the scenario; did you mean",
        "load: {} | unknown key \"load\" in the scenario",
        "thresholds: {ttft: ['p(95)<500ms', 'p(95)<900ms']} | objectives",
        "objectives: ['p9.5 ttft < 1s'] | objectives[0] must be keys and values",
        "objectives: [{ttft: 1s, share: 95}] | share: 0.95"
      })
  void whatCouldMeanTwoThingsIsRefusedWithWhatToWrite(String line, String remedy)
      throws IOException {
    String rest = "workload: {rate: 1, prompt_tokens: 5, output_tokens: 9}, duration: 9s";

    assertThat(String.join("\n", answer("{" + rest + ", " + line + "}"))).contains(remedy);
  }

  /** A bound of answers is no length beside those of a file; a pause needs to be of one class. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_tokens: 512, workload: {rate: 1, dataset: {format: sharegpt, file: sharegpt.json}}",
        "think_time: 2s, workload: {concurrency: 2, classes: [{name: a, prompt_tokens: 5,"
            + " output_tokens: 9, conversation: {turns: 2}}]}",
        "workload: {rate: 1, prompt_tokens: 5, output_tokens: 9, conversation: {n: 100, turns: 4}}"
      })
  void whatHasAnotherMeaningThereIsRefused(String line) {
    assertThat(answer("{duration: 9s, " + line + "}").getFirst()).contains("unknown key");
  }

  @Test
  void aForeignWordCannotBeRemovedInSilence() {
    assertThat(
            answer("{users: 4, prompt_tokens: 5, output_tokens: 9, duration: 9s}", "users=null")
                .getFirst())
        .contains("unknown key \"users\"");
  }

  @Test
  void thatABoundBecomesALengthIsSaid() throws IOException {
    read("{rate: 1, prompt_tokens: 5, max_tokens: 9, duration: 9s}");
    assertThat(notes)
        .anyMatch(note -> note.endsWith(
            "max_tokens: 9 is read as workload.output_tokens: 9"
                + " (exactly; request.ignore_eos: false lets answers end)"));
  }

  @Test
  void thatUsersBesideARateAreALimitIsSaid() throws IOException {
    read("{users: 4, rps: 1, prompt_tokens: 5, output_tokens: 9, duration: 9s}");
    assertThat(notes)
        .anyMatch(note -> note.endsWith(
            "users: 4 is read as workload.concurrency: 4"
                + " (beside a rate: so many in flight at most)"));
  }

  @Test
  void allMistakesOfALineAreToldAndWhereATemplateIs() throws IOException {
    assertThat(answer("name: a\nobjectives: [{ttft: 5s}, {tpot: 1s}]\nworkload: {rat: 1, foo: 2}"))
        .containsExactly(
            "1: duration and requests are both missing; write for example duration: 60s",
            "2: objectives[0].share is missing; write for example {ttft: 5s, share: 0.99}",
            "2: objectives[1].share is missing; write for example {tpot: 1s, share: 0.99}",
            "3: unknown key \"rat\" in workload; did you mean \"rate\"?",
            "3: unknown key \"foo\" in workload; valid are "
                + String.join(", ", ScenarioKeys.WORKLOAD.names()),
            "3: workload.prompt_tokens is missing; write for example prompt_tokens: 256",
            "3: workload.output_tokens is missing; write for example output_tokens: 64",
            "./tally init chat|closed|ramp|conversation|agents > my.yaml writes a commented"
                + " scenario");
  }

  /** What is set in place of a block takes nothing with it that belongs elsewhere. */
  @Test
  void whatIsSetGoesWhereTheWordBelongs() throws IOException {
    Scenario scenario =
        read(first("chat"), "target=http://b:1", "model=m", "workload.rate=5", "duration=9s");

    assertThat(scenario)
        .isEqualTo(
            read(
                first("chat").replace("${MODEL}", "m").replace("localhost:8000/v1", "b:1")
                    .replace("rate: 8", "rate: 5").replace("3m", "9s")));
    assertThat(scenario.access().apiKeyEnv()).isEqualTo("OPENAI_API_KEY");
    assertThat(answer(first("closed"), "vus=64").toString())
        .contains("--set vus=64: unknown key \"vus\" in the scenario; write --set"
            + " workload.concurrency=64");
  }

  /** Neither a note nor a refusal repeats a secret, wherever it was written. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "api_key: sk-top", "request: {api_key: sk-top}",
        "target: {url: 'http://a', api_key: sk-top}",
        "base_url: 'http://me:sk-top@a:1/$X'", "base_url: 'http://me:1/sk-top@a:1/$X'",
        "base_url: 'http://a:1/?api_key=sk-top&x=$X'", "endpoint: 'http://me:sk-top@a:1'"
      })
  void aSecretIsNotRepeated(String line) throws IOException {
    String rest = "{workload: {rate: 1, prompt_tokens: 5, output_tokens: 9}, duration: 9s, ";

    assertThat(answer(rest + line + "}")).isNotEmpty();
    assertThat(answer(rest + line + "}") + notes.toString()).doesNotContain("sk-top");
    assertThat(answer(rest + "name: a}", "api_key=sk-top")).isNotEmpty();
    assertThat(answer(rest + "name: a}", "api_key=sk-top").toString()).doesNotContain("sk-top");
  }

  private static String first(String name) throws IOException {
    return Files.readString(TRIES.resolve(name + ".yaml"));
  }

  private Path file() {
    return folder.resolve("x.yaml");
  }

  private Scenario read(String text, String... set) throws IOException {
    Files.writeString(file(), text);
    return ScenarioReader.read(file(), List.of(set), List.of(), false, notes::add);
  }

  /** A scenario in our own words, of which there is nothing to say. */
  private Scenario readOurs(String text) throws IOException {
    Files.writeString(file(), text);
    return ScenarioReader.read(
        file(), List.of(), List.of(), false,
        note -> assertThat(note).as("nothing to say").isNull());
  }

  /** The lines of a refusal, each with its line's number in place of the file. */
  private List<String> answer(String text, String... set) {
    ScenarioException refused =
        catchThrowableOfType(ScenarioException.class, () -> read(text, set));
    assertThat(refused).as(text).isNotNull();
    return refused.getMessage().lines().map(line -> line.replace(file() + ":", "")).toList();
  }
}
