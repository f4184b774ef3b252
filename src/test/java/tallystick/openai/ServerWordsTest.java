package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Outcome;

class ServerWordsTest {
  private static final String TOKEN = CompletionClientTest.tokens(1);

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

  @Test
  void anErrorWithoutTheFramingOfAnEventIsTheServersWords() throws Exception {
    String error = "{\n \"error\": {\"message\": \"4 tokens too many\"}\n}\n";
    CompletionResult alone = ask(ScriptedServer.stream(error));
    CompletionResult inside = ask(ScriptedServer.stream(TOKEN + error + CompletionClientTest.DONE));

    assertThat(alone.ending().outcome()).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(alone.ending().detail()).isEqualTo("4 tokens too many");
    assertThat(inside.ending().outcome()).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(inside.ending().detail()).isEqualTo("4 tokens too many");
  }

  @Test
  void aBodyThatStaysOpenIsReadAsFarAsItComes() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              out.write(
                  ("HTTP/1.1 400 X\r\nContent-Type: application/json\r\n\r\n"
                          + "{\"detail\":\"no\"}")
                      .getBytes(StandardCharsets.UTF_8));
              out.flush();
              socket.getInputStream().read();
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.HTTP_ERROR);
    assertThat(result.ending().detail()).isEqualTo("no");
  }

  @Test
  void aStreamWithoutItsContentTypeIsToldByThatHeader() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) ->
                out.write(
                    ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + TOKEN)
                        .getBytes(StandardCharsets.UTF_8)));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.NOT_A_STREAM);
    assertThat(result.ending().detail()).startsWith("no content-type: data: ");
  }

  private static CompletionResult ask(ScriptedServer.Script script) throws Exception {
    try (ScriptedServer server = new ScriptedServer(script);
        CompletionClient client =
            new CompletionClient(CompletionClientTest.settings(CompletionClientTest.LONG_NANOS))) {
      return CompletionClientTest.ask(client, server.url(), System.nanoTime(), 0);
    }
  }
}
