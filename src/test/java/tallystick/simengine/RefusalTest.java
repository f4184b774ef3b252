package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What vLLM refuses is refused with the same status and the same bytes. */
class RefusalTest {
  private static final String JSON = "application/json";
  private static EmbeddedEngine engine;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    engine = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void aBodyThatIsNoJson() throws Exception {
    assertRefused("bad-json", 400, JSON, "{\"model\":\"tiny\",\"prompt\":}");
  }

  @Test
  void aNumberThatIsNone() throws Exception {
    assertRefused("bad-type", 400, JSON, "{\"prompt\":\"a\",\"max_tokens\":\"many\"}");
  }

  @Test
  void aNegativeLength() throws Exception {
    assertRefused("neg-maxtokens", 400, JSON, "{\"prompt\":\"a\",\"max_tokens\":-1}");
  }

  @Test
  void aTokenOutOfTheVocabulary() throws Exception {
    assertRefused("token-oov", 400, JSON, "{\"prompt\":[999999]}");
  }

  /** The expected bodies are a live vLLM 0.32.0's answers to the same requests. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "\"stop_token_ids\":[5000] | token_id(s) [5000] in stop_token_ids contain out-of-vocab"
            + " token ids. Vocabulary size: 2048 (parameter=stop_token_ids, value=[5000])"
            + " | stop_token_ids",
        "\"n\":20000000 | n must be at most 16384, got 20000000. | n",
        "\"n\":99999999999999999999 | n must be at most 16384, got 2147483647. | n",
        "\"stop\":[\"a\",\"b\",\"c\",\"d\",\"e\"] | stop strings must be at most 4, got 5. | stop"
      })
  void aValueOutOfItsRange(String field, String message, String parameter) throws Exception {
    HttpResponse<String> answer = post("{\"prompt\":[9]," + field + "}", JSON);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":{\"message\":\"" + message + "\",\"type\":\"BadRequestError\",\"param\":\""
                + parameter + "\",\"code\":400}}");
  }

  @Test
  void aPromptThatIsTooLong() throws Exception {
    String prompt = "9,".repeat(5000).replaceAll(",$", "");
    assertRefused("too-long", 400, JSON, "{\"prompt\":[" + prompt + "]}");
  }

  @Test
  void manyPromptsOfManyChoices() throws Exception {
    String prompts = "{\"prompt\":[" + "\"a\",".repeat(1024).replaceAll(",$", "") + "],\"n\":";
    assertThat(post(prompts + "17}", JSON).body()).contains("choices must be at most 16384");
    String more = prompts.replace("[", "[\"a\",") + "1}";
    assertThat(post(more, JSON).body()).contains("prompts must be at most 1024, got 1025");
  }

  @Test
  void aLengthNoIntegerHoldsIsCutToTheRoomThereIs() throws Exception {
    HttpResponse<String> answer =
        post("{\"prompt\":[" + "9,".repeat(4090) + "9],\"max_tokens\":4294967297}", JSON);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"completion_tokens\":5");
  }

  @Test
  void aModelThatIsNotServed() throws Exception {
    assertRefused("unknown-model", 404, JSON, "{\"model\":\"nope\",\"prompt\":\"a\"}");
  }

  @Test
  void aContentTypeThatIsNotJson() throws Exception {
    assertRefused("wrong-ctype", 400, "text/plain", "{\"prompt\":\"a\"}");
  }

  @Test
  void aPathThatIsNotThere() throws Exception {
    HttpResponse<String> answer = get("/nope");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(recorded("notfound"));
  }

  @Test
  void aMethodThatThePathDoesNotTake() throws Exception {
    HttpResponse<String> answer = get("/v1/completions");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).contains("POST");
    assertThat(answer.body()).isEqualTo(recorded("method"));
  }

  @Test
  void aRequestWithoutTheKey() throws Exception {
    EngineSettings settings = EngineSettings.ofFlags(Map.of("api-key", "secret"));
    try (EmbeddedEngine guarded = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(guarded.url() + "/v1/models")).build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).isEqualTo(recorded("401-models"));
    }
  }

  private void assertRefused(String name, int status, String contentType, String body)
      throws Exception {
    HttpResponse<String> answer = post(body, contentType);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(recorded(name));
  }

  private HttpResponse<String> post(String body, String contentType) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(engine.url() + "/v1/completions"))
            .timeout(Duration.ofSeconds(20))
            .header("content-type", contentType)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(engine.url() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String recorded(String name) throws IOException {
    try (InputStream in =
        RefusalTest.class.getResourceAsStream("/simengine/errors/" + name + ".body")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
