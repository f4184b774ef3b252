package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

class WorkloadReaderTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;

  @Test
  void readsEveryKindOfLength() throws IOException {
    assertThat(promptLengths("{normal: {mean: 256, deviation: 64, min: 16, max: 1024}}"))
        .isEqualTo(new Lengths.Normal(256, 64, 16, 1024));
    assertThat(promptLengths("{lognormal: {median: 128, sigma: 0.8}}"))
        .isEqualTo(new Lengths.Lognormal(128, 0.8, 1, Lengths.MOST));
    assertThat(promptLengths("{empirical: {64: 3, 512: 0.5}}"))
        .isEqualTo(new Lengths.Empirical(
            List.of(new Lengths.Weighted(64, 3), new Lengths.Weighted(512, 0.5))));
    assertThat(promptLengths("{empirical: [64, 512]}"))
        .isEqualTo(new Lengths.Empirical(
            List.of(new Lengths.Weighted(64, 1), new Lengths.Weighted(512, 1))));
    assertThat(promptLengths("{fixed: 7}")).isEqualTo(new Lengths.Fixed(7));
  }

  @Test
  void readsPairsOfLengths() throws IOException {
    Workload workload = read("{rate: 1, token_pairs: [[512, 32], [64, 200, 3]]}", 10).workload();

    assertThat(workload.classes().get(0).content())
        .isEqualTo(new RequestContent.Paired(List.of(
            new RequestContent.Pair(512, 32, 1), new RequestContent.Pair(64, 200, 3))));
  }

  @Test
  void readsEveryShapeOfRate() throws IOException {
    assertThat(rate("{ramp: {from: 0, to: 20}}")).isEqualTo(new Rate.Ramp(0, 20, 60));
    assertThat(rate("{sine: {mean: 5, amplitude: 3, period: 30s}}"))
        .isEqualTo(new Rate.Sine(5, 3, 30));
    assertThat(rate("{steps: [2, 4, 8]}"))
        .isEqualTo(new Rate.Steps(List.of(
            new Rate.Step("step-1", 2, 20 * SECOND),
            new Rate.Step("step-2", 4, 20 * SECOND),
            new Rate.Step("step-3", 8, 20 * SECOND))));
    assertThat(rate("{spike: {base: 2, peak: 20, at: 20s, for: 5s}}"))
        .isEqualTo(new Rate.Steps(List.of(
            new Rate.Step("before", 2, 20 * SECOND),
            new Rate.Step("spike", 20, 5 * SECOND),
            new Rate.Step("after", 2, 35 * SECOND))));
  }

  @Test
  void stepsThatSayTheirLengthNeedNoDuration() throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, """
        workload:
          rate: {steps: [{rate: 2, for: 30s, name: low}, {rate: 8, for: 10s, name: high}]}
          prompt_tokens: 1
          output_tokens: 1
        """);

    assertThat(ScenarioReader.read(file, List.of(), List.of()).extent())
        .isEqualTo(new Extent(40 * SECOND, 0));
  }

  @Test
  void readsArrivalsOfEveryKind() throws IOException {
    assertThat(arrival("arrival: constant, rate: 4"))
        .isEqualTo(new Arrival.Open(new Rate.Steady(4), Arrival.Open.CONSTANT, 0));
    assertThat(arrival("arrival: {gamma: 0.5}, rate: 4, concurrency: 64"))
        .isEqualTo(new Arrival.Open(new Rate.Steady(4), 0.5, 64));
    assertThat(arrival("rate: 4"))
        .isEqualTo(new Arrival.Open(new Rate.Steady(4), Arrival.Open.POISSON, 0));
    assertThat(arrival("concurrency: 4")).isEqualTo(new Arrival.Closed(4));
    assertThat(arrival("concurrency: 4, think_time: 2s"))
        .isEqualTo(new Arrival.Closed(4, new ThinkTime.Fixed(2_000_000_000L)));
  }

  @Test
  void aClassTakesFromTheWorkloadWhatItDoesNotSay() throws IOException {
    Scenario scenario = read("""
        {rate: 1, prompt_tokens: 10, output_tokens: 20, n: 2, classes: [
          {name: a, weight: 3, objectives: [{ttft: 1s, share: 0.9}]},
          {name: b, prompt_tokens: 30, n: 1, model: big, extra_body: {temperature: 0.5}},
          {name: c, token_pairs: [[5, 6]]}]}""", 10);
    List<RequestClass> classes = scenario.workload().classes();

    assertThat(classes).extracting(RequestClass::name).containsExactly("a", "b", "c");
    assertThat(classes).extracting(RequestClass::weight).containsExactly(3.0, 1.0, 1.0);
    assertThat(classes).extracting(RequestClass::content)
        .containsExactly(
            new RequestContent.Sampled(new Lengths.Fixed(10), new Lengths.Fixed(20)),
            new RequestContent.Sampled(new Lengths.Fixed(30), new Lengths.Fixed(20)),
            new RequestContent.Paired(List.of(new RequestContent.Pair(5, 6, 1))));
    assertThat(classes).extracting(c -> c.form().choices()).containsExactly(2, 1, 2);
    assertThat(classes.get(1).form().model()).isEqualTo("big");
    assertThat(scenario.objectives())
        .containsExactly(new Objective(Objective.Metric.TTFT, 1, 0.9, "a"));
  }

  @Test
  void readsWhatUsersShareSayAndHowTheyLeave() throws IOException {
    RequestClass kind = read("""
        {rate: 1, prompt_tokens: 10, output_tokens: 20,
         shared_prefix: {groups: 4, share: 80%, tokens: 512},
         conversation: {turns: {uniform: [2, 5]}, think_time: {exponential: 2s}},
         cancel: {share: 0.1, after: 2s, after_tokens: 20}}""", 10).workload().classes().get(0);

    assertThat(kind.prefixes()).isEqualTo(new Workload.SharedPrefixes(4, 0.8, 512));
    assertThat(kind.conversation())
        .isEqualTo(new Workload.Conversation(
            new Lengths.Uniform(2, 5), new ThinkTime.Exponential(2 * SECOND)));
    assertThat(kind.cancellation()).isEqualTo(new Workload.Cancellation(0.1, 2 * SECOND, 20));
  }

  @Test
  void usersOfAClosedLoopThinkBetweenTurnsTooUnlessTheConversationSaysHowLong()
      throws IOException {
    String users = "{concurrency: 4, think_time: 2s, prompt_tokens: 10, output_tokens: 20, ";
    assertThat(pause(users + "conversation: {turns: 3}}"))
        .isEqualTo(new ThinkTime.Fixed(2 * SECOND));
    assertThat(pause(users + "classes: [{name: a, conversation: {turns: 3}}]}"))
        .isEqualTo(new ThinkTime.Fixed(2 * SECOND));
    assertThat(pause(users + "conversation: {turns: 3, think_time: 0s}}"))
        .isEqualTo(new ThinkTime.Fixed(0));
    assertThat(pause("{rate: 4, prompt_tokens: 10, output_tokens: 20, conversation: {turns: 3}}"))
        .isEqualTo(new ThinkTime.Fixed(0));
  }

  private ThinkTime pause(String workload) throws IOException {
    return read(workload, 10).workload().classes().get(0).conversation().thinkTime();
  }

  @Test
  void readsTheToolsOfATurn() throws IOException {
    Workload.Tools tools = read("""
        {rate: 1, prompt_tokens: 10, output_tokens: 20,
         conversation: {turns: 2, tools: {calls: {uniform: [1, 4]}, share: 0.5,
           time: {exponential: 1s}, result_tokens: 400}}}""", 10)
        .workload().classes().get(0).conversation().tools();
    assertThat(tools)
        .isEqualTo(new Workload.Tools(
            0.5, new Lengths.Uniform(1, 4), new ThinkTime.Exponential(SECOND),
            new Lengths.Fixed(400), new Lengths.Fixed(20)));
  }

  @Test
  void readsTheSubAgentsOfATurn() throws IOException {
    Workload.Agents agents = read("""
        {rate: 1, prompt_tokens: 10, output_tokens: 20,
         conversation: {turns: 2, agents: {count: 3, share: 0.5, turns: {uniform: [1, 4]},
           prompt_tokens: 600, time: 1s, result_tokens: 300, call_tokens: 40}}}""", 10)
        .workload().classes().get(0).conversation().agents();
    assertThat(agents)
        .isEqualTo(new Workload.Agents(
            0.5, new Lengths.Fixed(3), new Lengths.Uniform(1, 4), new Lengths.Fixed(600),
            new Lengths.Fixed(20), new ThinkTime.Fixed(SECOND), new Lengths.Fixed(300),
            new Lengths.Fixed(40)));
  }

  @Test
  void toolsBesideADataSetAreRefused() {
    assertThatThrownBy(() -> read("""
        {rate: 1, token_pairs: [[10, 20]],
         conversation: {turns: 2, tools: {calls: 1, result_tokens: 400}}}""", 10))
        .hasMessageContaining("workload.conversation.tools has no meaning with a data set");
  }

  @Test
  void extraBodyFieldsBecomeJsonAndAClassLaysItsOwnOverThem() throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, """
        workload:
          rate: 1
          prompt_tokens: 1
          output_tokens: 1
          classes: [{name: a, extra_body: {top_p: 1, list: [1, a, true, null]}}]
        duration: 1s
        request:
          extra_body: {top_p: 0.5, chat_template_kwargs: {enable_thinking: false}}
          headers: {X-Team: search}
          api_key_env: VLLM_API_KEY
        stop_when: {error_share: 50%, ttft: 30s, waiting: 500, duration: 10m}
        """);
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());

    assertThat(scenario.request().extraBody())
        .isEqualTo("{\"top_p\":0.5,\"chat_template_kwargs\":{\"enable_thinking\":false}}");
    assertThat(scenario.workload().classes().get(0).form().extraBody())
        .isEqualTo("{\"top_p\":1,\"chat_template_kwargs\":{\"enable_thinking\":false},"
            + "\"list\":[1,\"a\",true,null]}");
    assertThat(scenario.request().headers()).containsEntry("X-Team", "search");
    assertThat(scenario.access())
        .isEqualTo(
            new Scenario.Access(
                "VLLM_API_KEY", "", "", TargetList.NONE, Map.of(), SecretPlaces.NONE, false,
                ""));
    assertThat(scenario.stop())
        .isEqualTo(new Scenario.StopRules(0.5, 30 * SECOND, 500, 600 * SECOND));
  }

  /** As an Azure deployment has it; the endpoint still says what bodies look like. */
  @Test
  void requestsMayGoToAnotherPathThanTheEndpoints() throws IOException {
    String rest = "workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}\nduration: 1s\n"
        + "endpoint: chat/completions\n";
    Scenario.Access azure =
        readText(rest + "request: {path: /openai/deployments/gpt/chat/completions}").access();
    assertThat(azure.pathOf(Endpoint.CHAT_COMPLETIONS))
        .isEqualTo("/openai/deployments/gpt/chat/completions");
    assertThat(readText(rest).access().pathOf(Endpoint.CHAT_COMPLETIONS))
        .isEqualTo("/v1/chat/completions");
    for (String wrong : List.of("chat", "/a?b=c", "/a b")) {
      assertThatThrownBy(() -> readText(rest + "request: {path: '" + wrong + "'}"))
          .isInstanceOf(ScenarioException.class)
          .hasMessageContaining("request.path must be a path that begins with /");
    }
  }

  @Test
  void neverRepeatsWhatMayBeAKey() {
    assertThatThrownBy(() -> readText("""
        workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}
        duration: 1s
        request: {api_key_env: sk-planted}
        """))
        .isInstanceOf(ScenarioException.class)
        .hasMessageNotContaining("planted");
    assertThatThrownBy(() -> readText("""
        workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}
        duration: 1s
        request: {headers: {authorization: Bearer planted}}
        """))
        .isInstanceOf(ScenarioException.class)
        .hasMessageNotContaining("planted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Request-Id", "x-request-id", "Accept-Encoding", "Accept", "Host", "Connection",
        "traceparent", "Content-Type", "Content-Length", "Transfer-Encoding", "Expect"
      })
  void aHeaderThatTheClientWritesItselfIsRefused(String name) {
    assertThatThrownBy(() -> readText("""
        workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}
        duration: 1s
        request: {headers: {%s: x}}
        """.formatted(name)))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("headers must not hold " + name);
  }

  @Test
  void theFieldOfTheTokenLimitAndOfUsageCanBeChosen() throws IOException {
    Scenario.RequestForm form =
        readText("""
            workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}
            duration: 1s
            request: {token_limit: max_completion_tokens, usage: false}
            """).request();

    assertThat(form.tokenLimit()).isEqualTo(TokenLimit.MAX_COMPLETION_TOKENS);
    assertThat(form.withoutUsage()).isTrue();
    assertThatThrownBy(() -> readText("""
        workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}
        duration: 1s
        request: {token_limit: max_new_tokens}
        """))
        .hasMessageContaining("max_completion_tokens");
  }

  private Lengths promptLengths(String text) throws IOException {
    Workload workload =
        read("{rate: 1, output_tokens: 1, prompt_tokens: " + text + "}", 60).workload();
    return ((RequestContent.Sampled) workload.classes().get(0).content()).promptTokens();
  }

  private Rate rate(String text) throws IOException {
    return ((Arrival.Open) arrival("rate: " + text)).rate();
  }

  private Arrival arrival(String text) throws IOException {
    return read("{prompt_tokens: 1, output_tokens: 1, " + text + "}", 60).workload().arrival();
  }

  private Scenario read(String workload, int seconds) throws IOException {
    return readText("duration: " + seconds + "s\nworkload: " + workload + "\n");
  }

  private Scenario readText(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), text);
    return ScenarioReader.read(file, List.of(), List.of());
  }
}
