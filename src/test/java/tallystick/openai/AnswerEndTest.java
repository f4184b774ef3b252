package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow.Oddity;

/** When an answer is over, whatever its connection does afterwards. */
class AnswerEndTest {
  private static final String TOKENS = CompletionClientTest.tokens(2);
  private static final String UNTOLD = "data: {\"choices\":[{\"index\":0,\"text\":\" a\"}]}\n\n";
  private static final String FINISH =
      "data: {\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"length\"}]}\n\n";
  private static final String USAGE =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n";
  private static final String FINISH_OF_SECOND = FINISH.replace("\"index\":0", "\"index\":1");

  @Test
  void aStreamWithFinishReasonUsageAndACleanEndIsGoodWithoutItsEndMark() throws Exception {
    CompletionResult result = ask(ScriptedServer.stream(TOKENS + FINISH + USAGE));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().oddities()).containsExactly(Oddity.DONE_MISSING);
    assertThat(result.usage().completionTokens()).isEqualTo(2);
  }

  @Test
  void aStreamThatEndsBeforeTheFinishOfEachChoiceIsNotGood() throws Exception {
    String second = UNTOLD.replace("\"index\":0", "\"index\":1");

    assertThat(ask(ScriptedServer.stream(UNTOLD + second + FINISH + USAGE)).ending().outcome())
        .isEqualTo(Outcome.DONE_MISSING);
    assertThat(
            ask(ScriptedServer.stream(UNTOLD + second + FINISH + FINISH_OF_SECOND + USAGE))
                .ending().outcome())
        .isEqualTo(Outcome.OK);
  }

  /** The request's own limit is far beyond what anybody waits. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[DONE]", "usage", "usage in the finish", "usage in each chunk"
      })
  void aConnectionThatStaysOpenAfterTheEndHoldsNobody(String end) throws Exception {
    String body =
        switch (end) {
          case "[DONE]" -> TOKENS + CompletionClientTest.DONE;
          case "usage" -> UNTOLD + FINISH + USAGE;
          case "usage in the finish" ->
              UNTOLD
                  + FINISH.replace(
                      "}]}", "}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}");
          default -> TOKENS + FINISH;
        };
    CompletionResult result = ask(keptOpen(body));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().oddities()).contains(Oddity.LEFT_OPEN);
    assertThat(result.usage().isKnown()).isTrue();
  }

  @Test
  void aFinishReasonAloneIsWaitedForNoLongerThanAMoment() throws Exception {
    CompletionResult result = ask(keptOpen(UNTOLD + FINISH));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.DONE_MISSING);
    assertThat(result.ending().oddities()).contains(Oddity.LEFT_OPEN);
  }

  @Test
  void aUsageThatComesLateIsWaitedFor() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(UNTOLD + FINISH).play(out, socket);
              out.flush();
              new CountDownLatch(1).await(1_300, TimeUnit.MILLISECONDS);
              out.write((USAGE + CompletionClientTest.DONE).getBytes(StandardCharsets.UTF_8));
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.usage().isKnown()).isTrue();
  }

  @Test
  void eventsWithoutEndAfterTheEndMarkHoldNobodyEither() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(TOKENS + CompletionClientTest.DONE).play(out, socket);
              while (true) {
                out.write(UNTOLD.getBytes(StandardCharsets.UTF_8));
                out.flush();
                new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
              }
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().oddities()).contains(Oddity.EVENTS_AFTER_DONE, Oddity.LEFT_OPEN);
  }

  @Test
  void contentAfterAFinishReasonIsNoEnd() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(UNTOLD + FINISH + UNTOLD).play(out, socket);
              out.flush();
              new CountDownLatch(1).await(1_300, TimeUnit.MILLISECONDS);
              out.write((UNTOLD + FINISH + USAGE).getBytes(StandardCharsets.UTF_8));
            });

    assertThat(result.chunks().size()).isEqualTo(3);
    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
  }

  private static ScriptedServer.Script keptOpen(String body) {
    return (out, socket) -> {
      ScriptedServer.stream(body).play(out, socket);
      out.flush();
      // Returns when the client has closed its end.
      socket.getInputStream().read();
    };
  }

  private static CompletionResult ask(ScriptedServer.Script script) throws Exception {
    try (ScriptedServer server = new ScriptedServer(script);
        CompletionClient client =
            new CompletionClient(CompletionClientTest.settings(TimeUnit.SECONDS.toNanos(5)))) {
      return CompletionClientTest.ask(client, server.url(), System.nanoTime(), 0);
    }
  }
}
