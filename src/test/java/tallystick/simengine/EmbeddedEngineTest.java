package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmbeddedEngineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient client = HttpClient.newHttpClient();

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

  private static EmbeddedEngine start(Map<String, String> flags) {
    return EmbeddedEngine.start(EngineSettings.ofFlags(flags), "127.0.0.1", 0);
  }

  private String completion(EmbeddedEngine engine, String fields) throws Exception {
    return post(engine, "/v1/completions", streamed(fields));
  }

  private static String streamed(String fields) {
    return "{"
        + fields
        + ",\"stream\":true,\"ignore_eos\":true,\"stream_options\":{\"include_usage\":true,"
        + "\"continuous_usage_stats\":true},\"return_token_ids\":true}";
  }

  private static List<String> events(String body) {
    return body.lines()
        .filter(line -> !line.isEmpty())
        .map(line -> line.substring("data: ".length()))
        .toList();
  }

  private static int tokenCount(List<String> events) throws IOException {
    int count = 0;
    for (String event : events.subList(0, events.size() - 2)) {
      count += Json.MAPPER.readTree(event).path("choices").get(0).path("token_ids").size();
    }
    return count;
  }

  /** A body without what differs from one answer to the next. */
  private static String neutral(String body) {
    return body.replaceAll("cmpl-[0-9a-f]{16}", "ID")
        .replaceAll("\"created\":\\d+", "\"created\":0")
        .replaceAll("\"text\":\" \\w+\"", "\"text\":\" word\"")
        .replaceAll("vllm-0.32.0[^\"]*", "vllm");
  }

  private double metric(EmbeddedEngine engine, String name) throws Exception {
    return get(engine, "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private String get(EmbeddedEngine engine, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(engine.url() + path)).timeout(PATIENCE).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private String post(EmbeddedEngine engine, String path, String body) throws Exception {
    return client
        .send(request(engine, path, body), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static HttpRequest request(EmbeddedEngine engine, String path, String body) {
    return HttpRequest.newBuilder(URI.create(engine.url() + path))
        .timeout(PATIENCE)
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }
}
