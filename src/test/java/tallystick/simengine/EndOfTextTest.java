package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a text ends by itself, and what is told of each token's chance. */
class EndOfTextTest extends EngineOverHttp {

  @Test
  void endsATextByItselfAndCountsTheEndToken() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero", "end-token-share", "0.2"))) {
      String request = "{\"prompt\":[9],\"max_tokens\":2000,\"return_token_ids\":true}";
      JsonNode body = Json.MAPPER.readTree(post(engine, "/v1/completions", request));
      JsonNode choice = body.path("choices").path(0);
      int tokens = choice.path("token_ids").size();
      assertThat(choice.path("finish_reason").asText()).isEqualTo("stop");
      assertThat(choice.path("stop_reason").isNull()).isTrue();
      assertThat(choice.path("token_ids").path(tokens - 1).asInt()).isEqualTo(2);
      assertThat(choice.path("text").asText().strip().split(" ")).hasSize(tokens - 1);
      assertThat(body.path("usage").path("completion_tokens").asInt()).isEqualTo(tokens);
      assertThat(metric(engine, "vllm:request_success_total")).isEqualTo(1);
    }
  }

  @Test
  void makesNoEndTokenBeforeMinTokensNorWhereItIsIgnored() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero", "end-token-share", "1"))) {
      String early = "{\"prompt\":[9],\"max_tokens\":20,\"min_tokens\":5}";
      String never = "{\"prompt\":[9],\"max_tokens\":20,\"ignore_eos\":true}";
      assertThat(post(engine, "/v1/completions", early)).contains("\"completion_tokens\":6");
      assertThat(post(engine, "/v1/completions", never)).contains("\"completion_tokens\":20");
    }
  }

  @Test
  void endsAtAStopTokenWhoseTextIsNotSent() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero", "end-token-share", "0"))) {
      StringBuilder all = new StringBuilder();
      for (int token = 7; token < 2048; token++) {
        all.append(all.isEmpty() ? "" : ",").append(token);
      }
      String request =
          "{\"prompt\":[9],\"max_tokens\":20,\"return_token_ids\":true,\"stop_token_ids\":["
              + all + "]}";
      JsonNode choice =
          Json.MAPPER.readTree(post(engine, "/v1/completions", request)).path("choices").path(0);
      assertThat(choice.path("finish_reason").asText()).isEqualTo("stop");
      assertThat(choice.path("text").asText()).isEmpty();
      assertThat(choice.path("stop_reason")).isEqualTo(choice.path("token_ids").path(0));
    }
  }

  @Test
  void whoAsksForLogProbabilitiesGetsAnAnswerWithoutThem() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero"))) {
      String completion = "{\"prompt\":[9],\"max_tokens\":2,\"logprobs\":2}";
      JsonNode told =
          Json.MAPPER.readTree(post(engine, "/v1/completions", completion))
              .path("choices").path(0);
      assertThat(told.path("logprobs").isNull()).isTrue();
      assertThat(told.path("text").asText()).isNotEmpty();
      String chat =
          "{\"messages\":[{\"role\":\"user\",\"content\":\"baba\"}],\"max_tokens\":1,"
              + "\"logprobs\":true,\"top_logprobs\":2,\"stream\":true}";
      assertThat(post(engine, "/v1/chat/completions", chat))
          .contains("\"logprobs\":null", "[DONE]")
          .doesNotContain("\"error\"");
    }
  }
}
