package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.FreePort;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

@ParameterizedClass
@EnumSource(StreamThreads.class)
class CompletionClientTest {
  @Parameter StreamThreads threads;

  private static final String TOKEN =
      "data: {\"choices\":[{\"index\":0,\"text\":\" a\"}],"
          + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":%d}}\n\n";
  static final String DONE = "data: [DONE]\n\n";
  static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  @Test
  void stampsEveryPhaseInOrder() throws Exception {
    CompletionResult result = ask(ScriptedServer.stream(tokens(3) + DONE));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.chunks().tokens()).containsExactly(1, 1, 1);
    CompletionResult.Moments moments = result.moments();
    assertThat(
            List.of(
                moments.started(), moments.connectStarted(), moments.connected(),
                moments.written(), moments.headers(), moments.firstByte(),
                result.chunks().arrivalNanos()[0], moments.ended()))
        .isSorted();
    assertThat(result.usage().completionTokens()).isEqualTo(3);
  }

  @Test
  void tellsEventsOfOneReadFromEventsThatCameAlone() throws Exception {
    CompletionResult together = ask(ScriptedServer.stream(tokens(4) + DONE));
    CompletionResult apart =
        ask(
            (out, socket) -> {
              ScriptedServer.stream("").play(out, socket);
              for (int i = 1; i <= 4; i++) {
                out.write(TOKEN.formatted(i).getBytes(StandardCharsets.UTF_8));
                out.flush();
                new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
              }
              out.write(DONE.getBytes(StandardCharsets.UTF_8));
            });

    assertThat(together.chunks().coalesced()).isGreaterThanOrEqualTo(3);
    // A reader that was held up finds several together; those share the moment of their read.
    long reads = Arrays.stream(apart.chunks().arrivalNanos()).distinct().count();
    assertThat(apart.chunks().coalesced()).isEqualTo((int) (4 - reads));
  }

  @Test
  void namesEveryBadEnd() throws Exception {
    String head = tokens(1);
    assertThat(outcome(ScriptedServer.stream(head))).isEqualTo(Outcome.CUT_MID_STREAM);
    String finish =
        "data: {\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"stop\"}]}\n\n";
    String untold = "data: {\"choices\":[{\"index\":0,\"text\":\" a\"}]}\n\n";
    assertThat(outcome(ScriptedServer.stream(untold + finish))).isEqualTo(Outcome.DONE_MISSING);
    assertThat(outcome(ScriptedServer.stream(DONE))).isEqualTo(Outcome.EMPTY_STREAM);
    assertThat(outcome(ScriptedServer.stream(""))).isEqualTo(Outcome.EMPTY_STREAM);
    assertThat(outcome(ScriptedServer.stream(head + "data: {\"cho\n\n" + DONE)))
        .isEqualTo(Outcome.MALFORMED_CHUNK);
    assertThat(outcome(ScriptedServer.stream("data: {\"error\":{\"message\":\"x\"}}\n\n" + DONE)))
        .isEqualTo(Outcome.ERROR_EVENT);
    assertThat(outcome(ScriptedServer.status(503, "{\"error\":\"full\"}")))
        .isEqualTo(Outcome.HTTP_ERROR);
    assertThat(outcome(ScriptedServer.status(200, "{}"))).isEqualTo(Outcome.NOT_A_STREAM);
    assertThat(outcome(ScriptedServer.status(307, ""))).isEqualTo(Outcome.REDIRECTED);
    assertThat(outcome(gzipped())).isEqualTo(Outcome.COMPRESSED);
    assertThat(outcome((out, socket) -> socket.close())).isEqualTo(Outcome.NO_ANSWER);
  }

  @Test
  void saysWhatCameWhereNoTextDid() throws Exception {
    CompletionResult noEvent = ask(ScriptedServer.stream("{\"choices\":[]}"));
    String audio = "data: {\"choices\":[{\"delta\":{\"audio\":{\"data\":\"x\"}}}]}\n\n";
    CompletionResult noText = ask(ScriptedServer.stream(audio + audio + DONE));

    assertThat(noEvent.ending().outcome()).isEqualTo(Outcome.EMPTY_STREAM);
    assertThat(noEvent.ending().detail())
        .isEqualTo("14 bytes arrived but no event: {\"choices\":[]}");
    assertThat(noText.ending().outcome()).isEqualTo(Outcome.EMPTY_STREAM);
    assertThat(noText.ending().detail())
        .isEqualTo("3 events arrived but no text; not read: audio");
  }

  @Test
  void aFinishThatIsAFailureIsNoGoodEnd() throws Exception {
    String chunk = "data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":\"abort\"}]}\n\n";
    CompletionResult result = ask(ScriptedServer.stream(chunk + DONE));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(result.ending().detail()).isEqualTo("finish_reason abort");
    assertThat(result.chunks().size()).isEqualTo(1);
  }

  private static String delta(String fields, int tokens) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":{" + fields + "}}],"
        + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":" + tokens + "}}\n\n";
  }

  private int thinking(String... deltas) throws Exception {
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < deltas.length; i++) {
      events.append(delta(deltas[i], i + 1));
    }
    CompletionResult result = ask(ScriptedServer.stream(events + DONE));
    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.chunks().size()).isEqualTo(deltas.length);
    return result.chunks().thinking();
  }

  @Test
  void tellsThinkingFromTheAnswerBehindIt() throws Exception {
    String hm = "\"content\":null,\"reasoning\":\"hm\"";
    String hmm = "\"content\":\"\",\"reasoning_content\":\"hmm\"";
    String part = "\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"text\":\"hm\"}]}]";
    String word = "\"content\":\"yes\"";
    String words = "\"content\":[{\"type\":\"text\",\"text\":\"yes\"}]";
    String call = "\"tool_calls\":[{\"index\":0}]";

    assertThat(thinking(hm, hmm, word, word)).isEqualTo(2);
    assertThat(thinking(hm, call)).isEqualTo(1);
    assertThat(thinking(part, part, words)).isEqualTo(2);
    assertThat(thinking(word, hm, word)).isZero();
    assertThat(thinking(hm, hm)).isEqualTo(2);
    assertThat(thinking("\"content\":\"\\n\\n\"", hm, word)).isEqualTo(2);
    // Tokens whose text comes later are no thinking.
    assertThat(thinking("\"content\":\"\"", word)).isZero();
  }

  private static String event(String type, String fields) {
    return "event: " + type + "\ndata: {" + fields + ",\"type\":\"" + type + "\"}\n\n";
  }

  private static final String RESPONSE_END =
      event(
          "response.completed",
          "\"response\":{\"id\":\"r\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
              + "\"usage\":{\"input_tokens\":6,\"input_tokens_details\":{\"cached_tokens\":4},"
              + "\"output_tokens\":5,\"output_tokens_details\":{\"reasoning_tokens\":2}}}");

  private static String pieces() {
    return event("response.created", "\"response\":{\"id\":\"r\",\"usage\":null}")
        + event("response.output_item.added", "\"item\":{\"content\":[]}")
        + event("response.reasoning_text.delta", "\"delta\":\"hm\"")
        + event("response.output_text.delta", "\"delta\":\"yes\"")
        + event("response.output_text.delta", "\"delta\":\", no\"")
        + event("response.output_text.done", "\"text\":\"yes, no\"");
  }

  @Test
  void readsAResponseToItsLastEvent() throws Exception {
    CompletionResult result = ask(ScriptedServer.stream(pieces() + RESPONSE_END));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().finishReason()).isEqualTo("length");
    assertThat(result.ending().oddities()).isEmpty();
    assertThat(result.chunks().size()).isEqualTo(3);
    assertThat(result.chunks().thinking()).isEqualTo(1);
    assertThat(result.usage()).isEqualTo(new RequestRow.Usage(6, 5, 4, 2));
    assertThat(ask(ScriptedServer.stream(pieces() + RESPONSE_END + DONE)).ending().oddities())
        .isEmpty();
  }

  @Test
  void aResponseThatIsNotWholeDoesNotEndBySaying() throws Exception {
    String incomplete = event("response.incomplete", "\"response\":{\"id\":\"r\"}");
    String cancelled =
        event("response.completed", "\"response\":{\"id\":\"r\",\"status\":\"cancelled\"}");

    assertThat(ask(ScriptedServer.stream(pieces() + incomplete)).ending().finishReason())
        .isEqualTo("incomplete");
    assertThat(ask(ScriptedServer.stream(pieces() + cancelled)).ending().finishReason())
        .isEqualTo("cancelled");
  }

  @Test
  void namesTheBadEndsOfAResponse() throws Exception {
    String failed =
        event("response.failed", "\"response\":{\"error\":{\"message\":\"out of luck\"}}");
    CompletionResult result = ask(ScriptedServer.stream(pieces() + failed));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(result.ending().detail()).isEqualTo("out of luck");
    assertThat(outcome(ScriptedServer.stream(event("error", "\"message\":\"no\""))))
        .isEqualTo(Outcome.ERROR_EVENT);
    assertThat(outcome(ScriptedServer.stream(pieces()))).isEqualTo(Outcome.CUT_MID_STREAM);
    assertThat(
            outcome(
                ScriptedServer.stream(
                    pieces() + "event: response.output_text.delta\ndata: {\"del\n\n"
                        + RESPONSE_END)))
        .isEqualTo(Outcome.MALFORMED_CHUNK);
  }

  @Test
  void takesTheServersCountOfThinkingTokens() throws Exception {
    String usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":9,"
            + "\"completion_tokens_details\":{\"reasoning_tokens\":6}}}\n\n";
    CompletionResult result =
        ask(
            ScriptedServer.stream(
                delta("\"reasoning\":\"hm\"", 6) + delta("\"content\":\"x\"", 9) + usage + DONE));

    assertThat(result.usage().reasoningTokens()).isEqualTo(6);
  }

  @Test
  void namesACutInsideAChunkedBody() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              String event = TOKEN.formatted(1);
              out.write(
                  ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                          + "Transfer-Encoding: chunked\r\n\r\n"
                          + Integer.toHexString(event.length()) + "\r\n" + event + "\r\nff\r\ndat")
                      .getBytes(StandardCharsets.UTF_8));
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
    assertThat(result.ending().detail()).isEqualTo("the connection ended inside the answer");
    assertThat(result.chunks().size()).isEqualTo(1);
    assertThat(result.ending().status()).isEqualTo(200);
  }

  @Test
  void namesWhatIsOddAboutAStreamThatEndsWell() throws Exception {
    String usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":9}}";
    String text = "data: {\"id\":\"%s\",\"choices\":[{\"index\":0,\"text\":\"x\"}]}\n\n";
    CompletionResult odd =
        ask(ScriptedServer.stream(text.formatted("a") + text.formatted("b") + DONE + text));
    CompletionResult contradicting =
        ask(ScriptedServer.stream(tokens(2) + usage + "\n\n" + DONE));

    assertThat(odd.ending().oddities())
        .containsExactly(
            Oddity.EVENTS_AFTER_DONE, Oddity.CHANGING_ID, Oddity.USAGE_MISSING);
    assertThat(contradicting.ending().oddities())
        .containsExactly(Oddity.USAGE_CONTRADICTS_CHUNKS);
  }

  @Test
  void namesWhatOtherServersSendInsteadOfAStream() throws Exception {
    CompletionResult page = ask(answered("text/html", "<html>Sign in</html>"));
    CompletionResult json = ask(answered("application/json", "{\"choices\":[{\"text\":\"x\"}]}"));
    CompletionResult headOnly = ask(answered("text/event-stream", ""));

    assertThat(page.ending().outcome()).isEqualTo(Outcome.NOT_A_STREAM);
    assertThat(page.ending().detail()).contains("Sign in");
    assertThat(json.ending().outcome()).isEqualTo(Outcome.NOT_A_STREAM);
    assertThat(headOnly.ending().outcome()).isEqualTo(Outcome.EMPTY_STREAM);
  }

  @Test
  void namesAConnectionThatIsReset() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(tokens(2) + "data: {\"cho").play(out, socket);
              out.flush();
              socket.setSoLinger(true, 0);
              socket.close();
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
  }

  @Test
  void keepsHowLongAServerAsksToWait() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) ->
                out.write(
                    ("HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 4\r\n"
                            + "Connection: close\r\n\r\nbusy")
                        .getBytes(StandardCharsets.UTF_8)));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.HTTP_ERROR);
    assertThat(result.ending().status()).isEqualTo(429);
    assertThat(result.ending().detail()).isEqualTo("retry-after 7; busy");
  }

  @Test
  void givesUpAServerThatSpellsOutItsHead() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
              for (int i = 0; i < 2_000; i++) {
                out.write("a".getBytes(StandardCharsets.UTF_8));
                out.flush();
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
              }
            },
            TimeUnit.MILLISECONDS.toNanos(300),
            0);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.TIMED_OUT);
  }

  @Test
  void givesUpAnEventThatNeverEnds() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(tokens(1) + "data: ").play(out, socket);
              byte[] block = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
              while (true) {
                out.write(block);
              }
            });

    assertThat(result.ending().outcome()).isEqualTo(Outcome.MALFORMED_CHUNK);
    assertThat(result.ending().detail()).contains("an event of more than");
    assertThat(result.chunks().size()).isEqualTo(1);
  }

  @Test
  void longStreamsOfShortEventsAreNoEndlessEvent() throws Exception {
    String padding = ": " + "x".repeat(1 << 10) + "\n\n";
    CompletionResult result =
        ask(ScriptedServer.stream(tokens(1) + padding.repeat(20 << 10) + DONE));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void tellsBytesAfterDoneFromLineEnds() throws Exception {
    CompletionResult quiet = ask(ScriptedServer.stream(tokens(1) + DONE + "\r\n\n"));
    CompletionResult talking = ask(ScriptedServer.stream(tokens(1) + DONE + "data: more"));

    assertThat(quiet.ending().oddities()).isEmpty();
    assertThat(talking.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(talking.ending().oddities()).containsExactly(Oddity.BYTES_AFTER_DONE);
  }

  @Test
  void keepsTheBodyOfAnHttpError() throws Exception {
    CompletionResult result = ask(ScriptedServer.status(404, "{\"error\":\"no such model\"}"));

    assertThat(result.ending().status()).isEqualTo(404);
    assertThat(result.ending().detail()).contains("no such model");
  }

  @Test
  void readsStreamsAsTheEventStreamStandardSays() throws Exception {
    String chunk = "{\"choices\":[{\"index\":0,\"text\":\"x\"}]}";
    String body =
        "\uFEFF: a comment\r\n\r\ndata:" + chunk + "\r\n\r\n"
            + "event: message\ndata: {\"choices\":\ndata: [{\"index\":0,\"text\":\"x\"}]}\n\n"
            + "id: 9\rdata: " + chunk + "\r\rretry: 5\n\n" + DONE;

    CompletionResult result = ask(ScriptedServer.stream(body));

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.chunks().size()).isEqualTo(3);
    assertThat(result.chunks().tokens()).containsOnly(RequestRow.UNKNOWN);
  }

  @Test
  void givesUpAStreamThatNeverEnds() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(tokens(1)).play(out, socket);
              out.flush();
              while (true) {
                out.write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
              }
            },
            TimeUnit.SECONDS.toNanos(2),
            0);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(result.chunks().size()).isEqualTo(1);
  }

  @Test
  void leavesAfterThePlannedTokens() throws Exception {
    CompletionResult result =
        ask(
            (out, socket) -> {
              ScriptedServer.stream(tokens(5)).play(out, socket);
              out.flush();
              new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            },
            LONG_NANOS,
            5);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.CLIENT_CANCELLED);
    assertThat(result.chunks().size()).isEqualTo(5);
  }

  @Test
  void namesARefusedConnection() throws Exception {
    String nobody = "http://127.0.0.1:" + FreePort.any();
    assertThat(ask(nobody, LONG_NANOS, 0).ending().outcome())
        .isEqualTo(Outcome.REFUSED);
  }

  @Test
  void sendsOnceAndSaysWhoItIs() throws Exception {
    try (ScriptedServer server = new ScriptedServer((out, socket) -> socket.close())) {
      ask(server.url(), LONG_NANOS, 0);

      assertThat(server.requests().stream().filter(text -> text.startsWith("POST"))).hasSize(1);
      assertThat(server.requests().get(0))
          .contains("X-Request-Id: id-1", "traceparent: 00-", "Authorization: Bearer secret")
          .contains("Accept-Encoding: identity")
          .startsWith("POST /v1/completions HTTP/1.1");
    }
  }

  @Test
  void hidesTheKeyInItsSettings() {
    assertThat(settings(1).toString()).doesNotContain("secret");
  }

  private static ScriptedServer.Script gzipped() {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
                    + "Connection: close\r\n\r\n??")
                .getBytes(StandardCharsets.UTF_8));
  }

  private static ScriptedServer.Script answered(String type, String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: "
                    + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  private Outcome outcome(ScriptedServer.Script script) throws Exception {
    return ask(script).ending().outcome();
  }

  private CompletionResult ask(ScriptedServer.Script script) throws Exception {
    return ask(script, LONG_NANOS, 0);
  }

  private CompletionResult ask(ScriptedServer.Script script, long limit, int cancelTokens)
      throws Exception {
    try (ScriptedServer server = new ScriptedServer(script)) {
      return ask(server.url(), limit, cancelTokens);
    }
  }

  private CompletionResult ask(String url, long limitNanos, int cancelTokens)
      throws Exception {
    try (CompletionClient client = new CompletionClient(settings(limitNanos), threads)) {
      return ask(client, url, System.nanoTime(), cancelTokens);
    }
  }

  static CompletionResult ask(
      CompletionClient client, String url, long startNanoTime, int cancelTokens)
      throws Exception {
    CompletableFuture<CompletionResult> result = new CompletableFuture<>();
    client.start(call(url, startNanoTime, cancelTokens), false, result::complete);
    return result.get(30, TimeUnit.SECONDS);
  }

  static CompletionRequest call(String url, long startNanoTime, int cancelTokens) {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    return new CompletionRequest(
        url + "/v1/completions", body, "id-1", "00-a-b-01", startNanoTime, 0, cancelTokens, false);
  }

  static ClientSettings settings(long limitNanos) {
    return new ClientSettings(LONG_NANOS, limitNanos, "secret", "", Map.of());
  }

  static String tokens(int count) {
    StringBuilder body = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      body.append(TOKEN.formatted(i));
    }
    return body.toString();
  }

}
