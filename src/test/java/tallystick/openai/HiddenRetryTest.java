package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.DONE;
import static tallystick.openai.CompletionClientTest.LONG_NANOS;
import static tallystick.openai.CompletionClientTest.ask;
import static tallystick.openai.CompletionClientTest.settings;
import static tallystick.openai.CompletionClientTest.tokens;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Outcome;

/** A server that counts: whatever it answers, a request is posted once. */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class HiddenRetryTest {
  @Parameter StreamThreads threads;


  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 307, 308, 401, 407, 408, 421, 425, 429, 500, 503, 504})
  void everyStatusIsAnAnswerAndNoReasonToAskAgain(int status) throws Exception {
    try (ScriptedServer server =
            new ScriptedServer(
                request ->
                    request.number() == 0
                        ? refusal(status)
                        : ScriptedServer.stream(tokens(1) + DONE));
        CompletionClient client = new CompletionClient(settings(LONG_NANOS), threads)) {
      CompletionResult result = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(server.asked("POST")).hasSize(1);
      assertThat(server.requests()).hasSize(1);
      assertThat(result.ending().status()).isEqualTo(status);
      assertThat(result.ending().outcome())
          .isEqualTo(status < 400 ? Outcome.REDIRECTED : Outcome.HTTP_ERROR);
    }
  }

  @Test
  void keepsTheWaitThatAServerAsksForAlsoWhereItIsNone() throws Exception {
    try (ScriptedServer server = new ScriptedServer(refusal(503));
        CompletionClient client = new CompletionClient(settings(LONG_NANOS), threads)) {
      CompletionResult result = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(result.ending().detail()).isEqualTo("retry-after 0; no");
    }
  }

  /** Everything that may tempt a client: a wait of nothing, another place, a challenge. */
  private static ScriptedServer.Script refusal(int status) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 " + status + " X\r\nRetry-After: 0\r\nLocation: /v1/completions\r\n"
                    + "WWW-Authenticate: Basic realm=\"x\"\r\n"
                    + "Proxy-Authenticate: Basic realm=\"x\"\r\n"
                    + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nno")
                .getBytes(StandardCharsets.UTF_8));
  }
}
