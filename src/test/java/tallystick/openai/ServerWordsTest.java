package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{\"error\":{\"message\":\"no\",\"type\":\"x\",\"param\":null,\"code\":400}}|no",
        "{\"error\":{\"message\":\"no\",\"param\":\"max_tokens\"}}|max_tokens: no",
        "{\"error\":{\"message\":\"'max_tokens' no\",\"param\":\"max_tokens\"}}|'max_tokens' no",
        "{\"error\":\"no\"}|no",
        "{\"detail\":\"no\"}|no",
        "{\"title\":\"x\",\"status\":400,\"detail\":\"no\"}|no",
        "{\"message\":\"no\"}|no",
        "{\"object\":\"error\",\"message\":\"no\",\"code\":400}|no",
        "[{\"error\":{\"code\":400,\"message\":\"no\"}}]|no",
        "{\"errors\":[{\"message\":\"one\"},{\"message\":\"two\"}]}|one; two",
        "{\"detail\":[{\"type\":\"extra\",\"loc\":[\"body\",\"n\"],\"msg\":\"no\"}]}|body.n: no",
        "{\"error\":{\"code\":400}}|",
        "{\"choices\":[{\"message\":{\"content\":\"x\"}}]}|",
        "{\"error\":null,\"id\":\"x\"}|",
        "{\"error\":{\"mess|",
        "busy|"
      })
  void findsTheMessageWhereServersPutIt(String body, String message) {
    assertThat(ServerWords.error(body)).isEqualTo(message == null ? "" : message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"busy", "<html>Sign in</html>", "{\"cho", "{\"a\":1}"})
  void leavesOtherBodiesAsTheyAre(String body) {
    assertThat(ServerWords.of(body + "\n")).isEqualTo(body);
  }

  @Test
  void aDeepBodyHasNoWords() {
    assertThat(ServerWords.error("[".repeat(500) + "]".repeat(500))).isEmpty();
  }
}
