package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine started in a program whose user reads other digits. */
class ForeignLocaleTest {
  private final Locale own = Locale.getDefault();

  @AfterEach
  void goHome() {
    Locale.setDefault(own);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fa-IR", "ar-EG-u-nu-arab", "tr-TR", "de-DE"})
  void answersInAsciiDigits(String language) throws Exception {
    Locale.setDefault(Locale.forLanguageTag(language));
    try (EmbeddedEngine engine = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.BodyPublisher body =
          HttpRequest.BodyPublishers.ofString("{\"prompt\":[9],\"max_tokens\":3}");
      URI uri = URI.create(engine.url() + "/v1/completions");
      String answer =
          client
              .send(
                  HttpRequest.newBuilder(uri)
                      .header("content-type", "application/json")
                      .POST(body)
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(new ObjectMapper().readTree(answer).path("created").asLong()).isPositive();
      URI metrics = URI.create(engine.url() + "/metrics");
      String exposed =
          client
              .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(exposed).contains("# TYPE vllm:time_to_first_token_seconds histogram");
      assertThat(answer + exposed).matches("\\p{ASCII}*");
    }
  }
}
