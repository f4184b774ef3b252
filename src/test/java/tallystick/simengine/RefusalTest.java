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

  @Test
  void aPromptThatIsTooLong() throws Exception {
    String prompt = "9,".repeat(5000).replaceAll(",$", "");
    assertRefused("too-long", 400, JSON, "{\"prompt\":[" + prompt + "]}");
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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(engine.url() + "/v1/completions"))
            .timeout(Duration.ofSeconds(20))
            .header("content-type", contentType)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(recorded(name));
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
