package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.LONG_NANOS;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow.Oddity;
import tallystick.runrecord.RequestRow.Usage;

/** Answers that are asked for as a whole: counts and an end, and no moment of a token. */
class WholeAnswerTest {
  private static final String USAGE =
      "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5,\"total_tokens\":8}";

  @Test
  void aCompletionTellsItsCountsItsTextAndItsEnd() throws Exception {
    checkWhole(
        "{\"id\":\"c\",\"object\":\"text_completion\",\"choices\":[{\"index\":0,"
            + "\"text\":\"yes\",\"finish_reason\":\"length\"}]," + USAGE + "}",
        new Usage(3, 5, -1));
  }

  @Test
  void soDoesAChatAnswerThatThoughtFirst() throws Exception {
    checkWhole(
        "{\"id\":\"c\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":"
            + "{\"role\":\"assistant\",\"content\":\"yes\",\"reasoning\":\"hm\"},"
            + "\"finish_reason\":\"length\"}],"
            + USAGE.replace("}", ",\"completion_tokens_details\":{\"reasoning_tokens\":2}}") + "}",
        new Usage(3, 5, -1, 2));
  }

  @Test
  void soDoesAResponseWhoseThinkingIsNoText() throws Exception {
    checkWhole(
        "{\"id\":\"r\",\"object\":\"response\",\"status\":\"incomplete\",\"error\":null,"
            + "\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\":["
            + "{\"content\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}],"
            + "\"type\":\"reasoning\"},"
            + "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"annotations\":[],"
            + "\"text\":\"yes\"}]}],\"usage\":{\"input_tokens\":3,\"output_tokens\":5,"
            + "\"output_tokens_details\":{\"reasoning_tokens\":2}}}",
        new Usage(3, 5, -1, 2));
  }

  private static void checkWhole(String body, Usage usage) throws Exception {
    CompletionResult result = ask("application/json", body);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().finishReason()).isEqualTo("length");
    assertThat(result.ending().oddities()).isEmpty();
    assertThat(result.usage()).isEqualTo(usage);
    assertThat(result.text()).isEqualTo("yes");
    assertThat(result.chunks().size()).isZero();
    CompletionResult.Moments moments = result.moments();
    assertThat(moments.ended()).isGreaterThanOrEqualTo(moments.firstByte());
    assertThat(moments.firstByte()).isGreaterThan(moments.written());
  }

  @Test
  void seesAllAnswersOfOneRequest() throws Exception {
    CompletionResult result =
        ask(
            "application/json",
            "{\"choices\":[{\"index\":0,\"text\":\"a\",\"finish_reason\":\"stop\"},"
                + "{\"index\":1,\"text\":\"b\",\"finish_reason\":\"stop\"}]," + USAGE + "}");

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.usage().completionTokens()).isEqualTo(5);
  }

  @Test
  void saysWhenTheCountsAreMissing() throws Exception {
    CompletionResult result =
        ask("application/json", "{\"choices\":[{\"text\":\"a\",\"finish_reason\":\"stop\"}]}");

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.ending().oddities()).containsExactly(Oddity.USAGE_MISSING);
  }

  @Test
  void namesEveryBadEnd() throws Exception {
    String nothing = "{\"choices\":[{\"message\":{\"content\":null},\"finish_reason\":\"stop\"}]}";
    String error = "{\"error\":{\"message\":\"full\"}}";
    String failed = "{\"object\":\"response\",\"status\":\"failed\",\"error\":null}";

    assertThat(outcome("application/json", nothing)).isEqualTo(Outcome.EMPTY_STREAM);
    assertThat(outcome("application/json", error)).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(outcome("application/json", failed)).isEqualTo(Outcome.ERROR_EVENT);
    assertThat(outcome("text/html", "<html>")).isEqualTo(Outcome.MALFORMED_CHUNK);
    assertThat(outcome("text/event-stream", "data: [DONE]\n\n"))
        .isEqualTo(Outcome.MALFORMED_CHUNK);
    assertThat(ask(cut()).ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
  }

  private static ScriptedServer.Script cut() {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
                    + "Connection: close\r\n\r\n{\"choices\":[")
                .getBytes(StandardCharsets.UTF_8));
  }

  private static Outcome outcome(String type, String body) throws Exception {
    return ask(type, body).ending().outcome();
  }

  private static CompletionResult ask(String type, String body) throws Exception {
    return ask(
        (out, socket) ->
            out.write(
                ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: "
                        + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8)));
  }

  private static CompletionResult ask(ScriptedServer.Script script) throws Exception {
    CompletableFuture<CompletionResult> result = new CompletableFuture<>();
    try (ScriptedServer server = new ScriptedServer(script);
        CompletionClient client =
            new CompletionClient(CompletionClientTest.settings(LONG_NANOS))) {
      client.start(
          new CompletionRequest(
              server.url(), new byte[] {'{', '}'}, "id", "", System.nanoTime(), 0, 0, true),
          true, result::complete);
      return result.get(30, TimeUnit.SECONDS);
    }
  }
}
