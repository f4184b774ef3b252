package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.LONG_NANOS;
import static tallystick.openai.CompletionClientTest.ask;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.RequestRow.Ending;

/** A server that repeats the key it was shown does not bring it into the record. */
class RepeatedKeyTest {
  private static final String KEY = "sk-planted-0123456789";
  private static final String PART = "sk-plant";

  private static Ending answerTo(ScriptedServer.Script script) throws Exception {
    ClientSettings settings = new ClientSettings(LONG_NANOS, LONG_NANOS, KEY, "", Map.of());
    try (ScriptedServer server = new ScriptedServer(script);
        CompletionClient client = new CompletionClient(settings)) {
      return ask(client, server.url(), System.nanoTime(), 0).ending();
    }
  }

  @Test
  void isHiddenInARefusal() throws Exception {
    assertThat(answerTo(ScriptedServer.status(401, "{\"error\":\"no such key: " + KEY + "\"}"))
            .detail())
        .isEqualTo("no such key: (the key)");
  }

  /** Bodies whose excerpt, or what is read of them at all, ends inside the key. */
  static List<String> cutBodies() {
    return List.of(
        "x".repeat(490) + KEY,
        "x".repeat(499 - PART.length()) + KEY,
        " ".repeat(1990) + KEY,
        " ".repeat((1 << 16) - 12) + KEY,
        "no such key: " + KEY.substring(0, 14));
  }

  @ParameterizedTest
  @MethodSource("cutBodies")
  void isHiddenWhereTheBodyIsCutInside(String body) throws Exception {
    assertThat(answerTo(ScriptedServer.status(401, body)).detail())
        .contains("(the ")
        .doesNotContain(PART);
  }

  @Test
  void isHiddenInEventsOfEveryKind() throws Exception {
    String far = "x".repeat(490) + KEY;
    for (String events :
        List.of(
            "event: error\ndata: " + far + "\n\n",
            "data: " + far + "\n\n",
            "data: {\"error\":{\"message\":\"" + far + "\"}}\n\n",
            "data: {\"choices\":[{\"" + "f".repeat(33) + KEY + "\":1}]}\n\n",
            "data: {\"choices\":[{\"text\":\"a\",\"finish_reason\":\"" + KEY + "\"}]}\n\n")) {
      Ending ending = answerTo(ScriptedServer.stream(events));
      assertThat(ending.detail() + ending.finishReason()).contains("(the ").doesNotContain(PART);
    }
  }

  @Test
  void isHiddenWhereTheAnswerIsNoHttp() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer((out, socket) -> out.write(("HTTX " + KEY + "\r\n\r\n").getBytes()))) {
      ServerProbe probe =
          new ServerProbe(server.url(), ApiAccess.ofKey(KEY), "", Duration.ofSeconds(5));
      String message = "";
      try {
        probe.models();
      } catch (IOException e) {
        message = e.getMessage();
      }
      assertThat(message).contains("(the key)").doesNotContain(PART);
    }
  }
}
