package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.gatling.RequestSender;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.PromptWriter;
import tallystick.openai.RequestWriter;
import tallystick.openai.ScriptedServer;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.Target;

/** What servers of several kinds make of token ids, over real HTTP. */
class PromptChoiceTest {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int PROMPT_TOKENS = 40;
  private static final Prompt PROMPT = Prompt.Synthetic.unique(PROMPT_TOKENS);

  private final List<RequestRow> rows = new ArrayList<>();

  @Test
  void tokenIdsAreKeptWhereTheServerTakesThem() throws Exception {
    try (ScriptedServer server = new ScriptedServer(request -> answer(1))) {
      PromptChoice.Settled settled = settle(server, Endpoint.COMPLETIONS, true);

      assertThat(settled.form()).isEqualTo(PromptForm.TOKEN_IDS);
      assertThat(settled.spent()).containsExactly(0);
      assertThat(server.asked("POST")).hasSize(1);
      assertThat(prompt(server.asked("POST").get(0).body()).isArray()).isTrue();
      assertThat(rows).extracting(RequestRow::index).containsExactly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 422, 500})
  void aRefusalTurnsPromptsIntoTextThatTheServersTokenizerFits(int status) throws Exception {
    try (ScriptedServer server = stringOnly(status, true)) {
      PromptChoice.Settled settled = settle(server, Endpoint.COMPLETIONS, true);

      assertThat(settled.form()).isEqualTo(PromptForm.FITTED_TEXT);
      assertThat(settled.reason()).contains("refuses token ids", String.valueOf(status));
      String words = prompt(body(settled, 1)).asText();
      assertThat(tokensOf(words)).isBetween(PROMPT_TOKENS - 1, PROMPT_TOKENS + 1);
      assertThat(rows).extracting(row -> row.ending().status()).containsExactly(status, 200);
      assertThat(rows).extracting(RequestRow::requestId).doesNotHaveDuplicates();
    }
  }

  @Test
  void withoutATokenizerTextHasAWordForEachToken() throws Exception {
    try (ScriptedServer server = stringOnly(400, false)) {
      PromptChoice.Settled settled = settle(server, Endpoint.COMPLETIONS, true);

      assertThat(settled.form()).isEqualTo(PromptForm.TEXT);
      assertThat(prompt(body(settled, 1)).asText().split(" ")).hasSize(PROMPT_TOKENS);
    }
  }

  @Test
  void aServerThatRefusesTextTooKeepsTokenIdsAndSaysSo() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(request -> ScriptedServer.status(400, "{\"error\":\"no\"}"))) {
      PromptChoice.Settled settled = settle(server, Endpoint.COMPLETIONS, true);

      assertThat(settled.form()).isEqualTo(PromptForm.TOKEN_IDS);
      assertThat(settled.reason()).contains("and text");
    }
  }

  @Test
  void withoutWarmupOneRequestMoreIsSentThatLeavesNoRow() throws Exception {
    try (ScriptedServer server = stringOnly(400, false)) {
      PromptChoice.Settled settled = settle(server, Endpoint.COMPLETIONS, false);

      assertThat(settled.form()).isEqualTo(PromptForm.TEXT);
      assertThat(settled.isSent()).isTrue();
      assertThat(settled.spent()).isEmpty();
      assertThat(rows).isEmpty();
      JsonNode tried = json(server.asked("POST /v1/completions").get(0).body());
      assertThat(tried.path("max_tokens").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aTokenizerThatMakesATokenOfAWordIsMeasuredAllTheSame() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            request ->
                switch (request.line()) {
                  case "GET /tokenize" -> ScriptedServer.status(405, "{}");
                  case "POST /tokenize" ->
                      ScriptedServer.status(
                          200,
                          "{\"count\":"
                              + json(request.body()).at("/messages/0/content").asText()
                                  .split(" ").length
                              + "}");
                  default -> ScriptedServer.status(404, "{}");
                })) {
      assertThat(settle(server, Endpoint.CHAT_COMPLETIONS, true).form())
          .isEqualTo(PromptForm.FITTED_TEXT);
    }
  }

  @Test
  void chatIsTextAndIsFittedOnlyWhereTheTokenizerCanBeAskedWithoutHarm() throws Exception {
    try (ScriptedServer with = stringOnly(400, true);
        ScriptedServer without = stringOnly(400, false)) {
      assertThat(settle(with, Endpoint.CHAT_COMPLETIONS, true).form())
          .isEqualTo(PromptForm.FITTED_TEXT);
      assertThat(settle(without, Endpoint.CHAT_COMPLETIONS, true).form())
          .isEqualTo(PromptForm.TEXT);
      assertThat(without.asked("POST")).hasSize(1);
      assertThat(settle(without, Endpoint.CHAT_COMPLETIONS, false).isSent()).isFalse();
      assertThat(without.asked("POST")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void aFieldThatIsRefusedEndsTheRunWithItsSwitch(Endpoint endpoint) throws Exception {
    String body = "{\"error\":{\"message\":\"extra fields not permitted: ignore_eos\"}}";
    try (ScriptedServer server =
        new ScriptedServer(
            request ->
                ScriptedServer.status(request.line().startsWith("POST /v1") ? 400 : 404, body))) {
      PromptChoice.Settled settled = settle(server, endpoint, true);

      assertThat(settled.refusal())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .contains(server.url(), "HTTP 400: extra fields not permitted: ignore_eos")
                      .contains("--set request.ignore_eos=false"));
      assertThat(server.asked("POST /v1")).hasSize(1);
    }
  }

  private PromptChoice.Settled settle(ScriptedServer server, Endpoint endpoint, boolean warms)
      throws InterruptedException {
    rows.clear();
    Plan plan = plan(server.url(), endpoint, warms);
    Manifest manifest = manifest(server.url());
    try (CompletionClient client =
        new CompletionClient(new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", "", Map.of()))) {
      PromptSource source = new PromptSource(manifest, plan.settings(), ApiAccess.NONE);
      PromptWriter prompts = source.careful();
      RequestSender.Parts parts =
          new RequestSender.Parts(
              plan.settings(), manifest.targets(), "run", RunClock.start(),
              new RequestWriter(plan.settings(), "m", prompts, ApiAccess.NONE), client, rows::add);
      return new PromptChoice(plan, plan.requests().size(), parts, source, prompts).settle();
    }
  }

  private static Plan plan(String url, Endpoint endpoint, boolean warms) {
    List<Phase> phases = new ArrayList<>();
    List<PlannedRequest> requests = new ArrayList<>();
    if (warms) {
      phases.add(new Phase("warmup", true, 0, LIMIT_NANOS, 0));
      requests.add(PlannedRequest.simple(0, "warmup", 0, PROMPT, 8));
    }
    phases.add(new Phase("main", false, 0, LIMIT_NANOS, 0));
    requests.add(PlannedRequest.simple(requests.size(), "main", 0, PROMPT, 8));
    long limit = LIMIT_NANOS;
    Settings settings =
        new Settings(
            "x", 1, endpoint, "m", List.of(Target.at(url)), LoopShape.OPEN, 0, phases, List.of(),
            new Settings.Timing(limit, limit, limit),
            new RequestForm(true, false, true, "{}", Map.of()), Map.of(), List.of(),
            Scenario.Access.PLAIN, Scenario.StopRules.NEVER, List.of());
    return new Plan(settings, requests);
  }

  private static Manifest manifest(String url) {
    return new Manifest(
        1, "run", "x", Manifest.Source.REAL, 1, "nonce", "m", List.of(Target.at(url)), Map.of(),
        Map.of(), Map.of(), new Manifest.Clock(0, 0, 0), Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }

  /** A server whose tokenizer makes two tokens of a word and adds one in front. */
  private static ScriptedServer stringOnly(int refusal, boolean hasTokenizer)
      throws IOException {
    return new ScriptedServer(
        request -> {
          if (request.line().equals("GET /tokenize") && hasTokenizer) {
            return ScriptedServer.status(405, "{}");
          }
          if (request.line().equals("POST /tokenize") && hasTokenizer) {
            JsonNode asked = json(request.body());
            String text =
                asked.has("prompt")
                    ? asked.path("prompt").asText()
                    : asked.at("/messages/0/content").asText();
            return ScriptedServer.status(200, "{\"count\":" + tokensOf(text) + "}");
          }
          if (!request.line().equals("POST /v1/completions")) {
            return ScriptedServer.status(404, "{}");
          }
          JsonNode prompt = prompt(request.body());
          return prompt.isTextual()
              ? answer(tokensOf(prompt.asText()))
              : ScriptedServer.status(refusal, "{\"detail\":\"prompt: not a string\"}");
        });
  }

  private static int tokensOf(String text) {
    return 1 + 2 * text.split(" ").length;
  }

  private static ScriptedServer.Script answer(int promptTokens) {
    return ScriptedServer.stream(
        "data: {\"choices\":[{\"index\":0,\"text\":\" a\"}],\"usage\":{\"prompt_tokens\":"
            + promptTokens + ",\"completion_tokens\":1}}\n\ndata: [DONE]\n\n");
  }

  private static String body(PromptChoice.Settled settled, int index) {
    return new String(
        settled.writer()
            .body(PlannedRequest.simple(index, "main", 0, PROMPT, 8), List.of(), true, ""));
  }

  private static JsonNode prompt(String body) {
    return json(body).path("prompt");
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }
}
