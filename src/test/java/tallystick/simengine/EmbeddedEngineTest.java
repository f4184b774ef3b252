package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmbeddedEngineTest extends EngineOverHttp {

  @Test
  void saysThatItIsSimulated() throws Exception {
    try (EmbeddedEngine engine = start(Map.of())) {
      assertThat(get(engine, "/version")).isEqualTo("{\"version\":\"0.32.0+tallystick.sim\"}");
    }
  }

  @Test
  void streamsEveryTokenThenUsageThenDone() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero"))) {
      List<String> events = events(completion(engine, "\"prompt\":[9,8,7],\"max_tokens\":40"));
      assertThat(events.getLast()).isEqualTo("[DONE]");
      JsonNode usage = Json.MAPPER.readTree(events.get(events.size() - 2));
      assertThat(usage.path("choices")).isEmpty();
      assertThat(usage.path("usage").path("prompt_tokens").asInt()).isEqualTo(3);
      assertThat(usage.path("usage").path("completion_tokens").asInt()).isEqualTo(40);
      assertThat(tokenCount(events)).isEqualTo(40);
    }
  }

  @Test
  void sendsTheRecordedBytesUpToWordsAndIds() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "tiny-cpu"))) {
      String body =
          post(
              engine,
              "/v1/completions",
              "{\"model\":\"tiny\",\"prompt\":[9,8,7],\"max_tokens\":1,\"stream\":true}");
      assertThat(neutral(body))
          .isEqualTo(
              neutral(
                  "data: {\"id\":\"cmpl-aff95fb7e8169660\",\"object\":\"text_completion\","
                      + "\"created\":1795219648,\"model\":\"tiny\",\"choices\":[{\"index\":0,"
                      + "\"text\":\" fapo\",\"logprobs\":null,\"finish_reason\":\"length\","
                      + "\"stop_reason\":null,\"prompt_token_ids\":null,\"token_ids\":null}],"
                      + "\"system_fingerprint\":\"vllm-0.32.0-ccc48e55\"}\n\n"
                      + "data: [DONE]\n\n"));
    }
  }

  @Test
  void opensEachChatChoiceWithARoleThatIsNoToken() throws Exception {
    try (EmbeddedEngine engine = start(Map.of())) {
      String body =
          post(
              engine,
              "/v1/chat/completions",
              "{\"messages\":[{\"role\":\"user\",\"content\":\"baba bibi bubu\"}],\"n\":2,"
                  + "\"max_tokens\":3,\"stream\":true,"
                  + "\"stream_options\":{\"include_usage\":true}}");
      List<String> events = events(body);
      assertThat(events.get(0)).contains("\"index\":0,\"delta\":{\"role\":\"assistant\"");
      assertThat(events.get(1)).contains("\"index\":1,\"delta\":{\"role\":\"assistant\"");
      JsonNode usage = Json.MAPPER.readTree(events.get(events.size() - 2)).path("usage");
      assertThat(usage.path("prompt_tokens").asInt()).isEqualTo(6);
      assertThat(usage.path("completion_tokens").asInt()).isEqualTo(6);
    }
  }

  @Test
  void answersAResponseWithItsThinkingFirstAndItsCountsLast() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("reasoning-tokens", "2"))) {
      String body =
          post(
              engine,
              "/v1/responses",
              "{\"input\":\"baba bibi bubu\",\"max_output_tokens\":5,\"stream\":true,"
                  + "\"ignore_eos\":true}");

      List<String> types =
          body.lines().filter(line -> line.startsWith("event: ")).map(line -> line.substring(7))
              .toList();
      assertThat(types).startsWith("response.created", "response.in_progress");
      assertThat(types.indexOf("response.reasoning_text.delta"))
          .isBetween(2, types.indexOf("response.output_text.delta") - 1);
      String last = body.strip().substring(body.strip().lastIndexOf("data: ") + 6);
      JsonNode response = Json.MAPPER.readTree(last).path("response");
      assertThat(response.path("incomplete_details").path("reason").asText())
          .isEqualTo("max_output_tokens");
      assertThat(response.path("usage").path("input_tokens").asInt()).isEqualTo(6);
      assertThat(response.path("usage").path("output_tokens").asInt()).isEqualTo(5);
      assertThat(response.path("usage").path("output_tokens_details").path("reasoning_tokens")
              .asInt())
          .isEqualTo(2);
    }
  }

  @Test
  void answersAResponseWholeWhereNoStreamIsAskedFor() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("reasoning-tokens", "2"))) {
      String body =
          post(
              engine,
              "/v1/responses",
              "{\"input\":\"baba bibi bubu\",\"max_output_tokens\":5,\"ignore_eos\":true}");

      JsonNode response = Json.MAPPER.readTree(body);
      assertThat(response.path("object").asText()).isEqualTo("response");
      assertThat(response.path("status").asText()).isEqualTo("incomplete");
      assertThat(response.at("/output/0/content/0/text").asText()).isNotBlank();
      assertThat(response.at("/usage/output_tokens").asInt()).isEqualTo(5);
      assertThat(response.at("/usage/output_tokens_details/reasoning_tokens").asInt())
          .isEqualTo(2);
    }
  }

  @Test
  void aResponseMayNameTheOneBeforeInThePlaceOfTheHistory() throws Exception {
    try (EmbeddedEngine engine = start(Map.of())) {
      String asked = "\"max_output_tokens\":3,\"ignore_eos\":true";
      JsonNode first =
          Json.MAPPER.readTree(
              post(engine, "/v1/responses", "{\"input\":\"baba\"," + asked + "}"));
      String said = first.at("/output/0/content/0/text").asText();
      String byId =
          "{\"input\":\"bibi\",\"previous_response_id\":\"" + first.path("id").asText() + "\",";
      String whole =
          "{\"input\":[{\"role\":\"user\",\"content\":\"baba\"},{\"role\":\"assistant\","
              + "\"content\":" + Json.quoted(said)
              + "},{\"role\":\"user\",\"content\":\"bibi\"}],";

      int ofId = inputTokens(post(engine, "/v1/responses", byId + asked + "}"));
      assertThat(ofId).isEqualTo(inputTokens(post(engine, "/v1/responses", whole + asked + "}")));
      assertThat(post(engine, "/v1/responses", byId.replace("resp_", "resp_x") + asked + "}"))
          .contains("Response with id 'resp_x", "not found");
    }
  }

  private static int inputTokens(String body) throws Exception {
    return Json.MAPPER.readTree(body).at("/usage/input_tokens").asInt();
  }

  @Test
  void aDisconnectAbortsTheRequestAndIsNoSuccess() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "tiny-cpu"))) {
      HttpResponse<InputStream> response =
          client.send(
              request(engine, "/v1/completions", streamed("\"prompt\":[9],\"max_tokens\":3000")),
              HttpResponse.BodyHandlers.ofInputStream());
      BufferedReader reader = new BufferedReader(new InputStreamReader(response.body()));
      reader.readLine();
      response.body().close();
      await(() -> metric(engine, "vllm:num_requests_running") == 0);
      assertThat(metric(engine, "vllm:time_to_first_token_seconds_count")).isEqualTo(1);
      assertThat(metric(engine, "vllm:e2e_request_latency_seconds_count")).isZero();
      assertThat(metric(engine, "vllm:generation_tokens_total")).isLessThan(3000);
    }
  }

  @Test
  void aLostTokenShowsAsOneMoreInTheEngineThanAtTheClient() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("fault", "drop-token:at=7"))) {
      List<String> events = events(completion(engine, "\"prompt\":[9],\"max_tokens\":20"));
      JsonNode usage = Json.MAPPER.readTree(events.get(events.size() - 2)).path("usage");
      assertThat(usage.path("completion_tokens").asInt()).isEqualTo(19);
      assertThat(metric(engine, "vllm:generation_tokens_total")).isEqualTo(20);
    }
  }

  @Test
  void aCutStreamEndsWithoutDone() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("fault", "cut:after=3"))) {
      HttpResponse<InputStream> response =
          client.send(
              request(engine, "/v1/completions", streamed("\"prompt\":[9],\"max_tokens\":50")),
              HttpResponse.BodyHandlers.ofInputStream());
      List<String> lines = new ArrayList<>();
      boolean isCut = false;
      try (BufferedReader reader = new BufferedReader(new InputStreamReader(response.body()))) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          lines.add(line);
        }
      } catch (IOException e) {
        isCut = true;
      }
      assertThat(isCut).isTrue();
      assertThat(lines).doesNotContain("data: [DONE]");
    }
  }

  @Test
  void answersEveryRequestWith503IfToldTo() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("fault", "http503:p=1"))) {
      assertThat(post(engine, "/v1/completions", "{\"prompt\":\"baba\"}"))
          .contains("\"code\":503");
    }
  }

  @Test
  void turnsRequestsAwayAboveTheQueueLimit() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("max-num-queued-reqs", "2"))) {
      assertThat(post(engine, "/v1/completions", "{\"prompt\":[9],\"n\":3}"))
          .contains("cannot accept new requests");
      assertThat(metric(engine, "vllm:admission_rejections_total")).isEqualTo(1);
    }
  }

  @Test
  void aPausedEngineKeepsWhatWaitsAndGoesOnWhenResumed() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero"))) {
      assertThat(post(engine, "/pause?mode=keep", "")).isEqualTo("{\"status\":\"paused\"}");
      var answer =
          client.sendAsync(
              request(engine, "/v1/completions", "{\"prompt\":[9],\"max_tokens\":3}"),
              HttpResponse.BodyHandlers.ofString());
      assertThat(metric(engine, "vllm:num_requests_waiting")).isZero();
      post(engine, "/resume", "");
      assertThat(answer.get().body()).contains("\"completion_tokens\":3");
    }
  }

  @Test
  void anEngineThatAbortsTellsItsClients() throws Exception {
    try (EmbeddedEngine engine = start(Map.of())) {
      var answer =
          client.sendAsync(
              request(engine, "/v1/completions", streamed("\"prompt\":[9],\"max_tokens\":3000")),
              HttpResponse.BodyHandlers.ofString());
      await(() -> metric(engine, "vllm:num_requests_running") == 1);
      post(engine, "/pause?mode=abort", "");
      assertThat(answer.get().body()).contains("\"finish_reason\":\"abort\"").contains("[DONE]");
    }
  }

  @Test
  void asksForTheKeyUnderV1Only() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("api-key", "secret"))) {
      assertThat(get(engine, "/v1/models")).isEqualTo("{\"error\":\"Unauthorized\"}");
      assertThat(get(engine, "/metrics")).contains("vllm:num_requests_running");
    }
  }

  @Test
  void cutsMaxTokensToTheRoomThatIsLeft() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero", "max-model-len", "100"))) {
      String prompt = "9,".repeat(94).replaceAll(",$", "");
      String body =
          post(engine, "/v1/completions", "{\"prompt\":[" + prompt + "],\"max_tokens\":100}");
      JsonNode usage = Json.MAPPER.readTree(body).path("usage");
      assertThat(usage.path("completion_tokens").asInt()).isEqualTo(6);
    }
  }

  @Test
  void turnsRequestsAwayAboveTheLimitOfQueuedTokens() throws Exception {
    Map<String, String> flags = Map.of("max-num-queued-tokens", "10", "profile", "zero");
    try (EmbeddedEngine engine = start(flags)) {
      post(engine, "/pause?mode=keep", "");
      var waiting =
          client.sendAsync(
              request(engine, "/v1/completions", "{\"prompt\":[9,9,9,9,9,9,9,9,9,9,9]}"),
              HttpResponse.BodyHandlers.ofString());
      await(() -> get(engine, "/load").contains("1"));
      assertThat(post(engine, "/v1/completions", "{\"prompt\":[9]}"))
          .contains("prefill token backlog limit");
      post(engine, "/resume", "");
      assertThat(waiting.get().statusCode()).isEqualTo(200);
      assertThat(post(engine, "/v1/completions", "{\"prompt\":[9]}")).contains("usage");
    }
  }
}
