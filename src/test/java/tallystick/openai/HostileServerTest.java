package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.DONE;
import static tallystick.openai.CompletionClientTest.call;
import static tallystick.openai.CompletionClientTest.settings;
import static tallystick.openai.CompletionClientTest.tokens;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Outcome;

/** Servers that mean harm. Each request ends once, and as what it was. */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class HostileServerTest {
  @Parameter StreamThreads threads;

  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionMayEndAtEachByteOfAnAnswer(boolean isReset) throws Exception {
    String answer = CHUNKED + chunk(tokens(2)) + chunk(DONE) + "0\r\n\r\n";
    int bodyFrom = CHUNKED.length();
    int firstChunkTo = bodyFrom + chunk(tokens(2)).length() - 2;
    List<Integer> lengths = new ArrayList<>();
    for (int length = 0; length < answer.length(); length++) {
      lengths.add(length);
    }
    LinkedBlockingQueue<Integer> next = new LinkedBlockingQueue<>(lengths);
    try (ScriptedServer server =
            new ScriptedServer(
                (out, socket) -> {
                  write(out, answer.substring(0, next.remove()));
                  if (isReset) {
                    socket.setSoLinger(true, 0);
                  }
                  socket.close();
                });
        CompletionClient client = new CompletionClient(settings(LONG_NANOS), threads)) {
      for (int length : lengths) {
        CompletionResult result = ask(client, server.url());
        Outcome outcome = result.ending().outcome();
        assertThat(outcome)
            .as("after %d bytes", length)
            // A reset may overtake what was sent before it.
            .isIn(isReset || length == 0 ? Outcome.NO_ANSWER : Outcome.CUT_MID_STREAM,
                length == 0 ? Outcome.NO_ANSWER : Outcome.CUT_MID_STREAM);
        if (!isReset && length >= bodyFrom) {
          assertThat(result.ending().status()).isEqualTo(200);
        }
        if (!isReset && length >= firstChunkTo) {
          assertThat(result.chunks().size()).as("after %d bytes", length).isEqualTo(2);
        }
        assertThat(result.ending().oddities()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n", "-5\r\nabcde\r\n", "ffffffffffffffffff\r\nabc", "\r\n\r\n", "3\r\nabcdef\r\n",
        "7fffffffffffffff\r\nabc", "0\r\nX: y"
      })
  void aChunkThatIsNoneIsACut(String wrong) throws Exception {
    CompletionResult result =
        ask((out, socket) -> write(out, CHUNKED + chunk(tokens(1)) + wrong), LONG_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
    assertThat(result.chunks().size()).isEqualTo(1);
  }

  @Test
  void aLengthThatIsTooLongIsACut() throws Exception {
    String body = tokens(1) + DONE;
    CompletionResult result =
        ask(
            (out, socket) ->
                write(out, HEAD + "Content-Length: " + (body.length() + 1) + "\r\n\r\n" + body),
            LONG_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
  }

  @Test
  void whatALengthHidesIsNotTheNextRequestsAnswer() throws Exception {
    String body = tokens(1) + DONE;
    String stray = "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n";
    String answer = HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body + stray;
    try (KeptServer server =
            new KeptServer(request -> new KeptServer.Turn(answer, false));
        CompletionClient client = new CompletionClient(settings(LONG_NANOS), threads)) {
      for (int i = 0; i < 5; i++) {
        assertThat(ask(client, server.url()).ending().outcome()).isEqualTo(Outcome.OK);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nX: ", CHUNKED, CHUNKED + "5;x=", CHUNKED + "0\r\nX: ",
        HEAD + "\r\ndata: ", HEAD + "\r\n: ", HEAD + "\r\nevent: ", HEAD + "\r\nid: ",
        HEAD + "\r\ndata: {\"a\":", "HTTP/1.1 "
      })
  void aLineWithoutAnEndIsGivenUpAndNotKept(String begin) throws Exception {
    byte[] filling = "0".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
    CompletionResult result =
        ask(
            (out, socket) -> {
              write(out, begin);
              while (true) {
                out.write(filling);
              }
            },
            LONG_NANOS);

    assertThat(result.ending().outcome())
        .isIn(Outcome.CUT_MID_STREAM, Outcome.MALFORMED_CHUNK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n",
        HEAD + "\r\n\n\n", HEAD + "\r\n", ""
      })
  void whatNeverComesToAnEndRunsOutOfTime(String begin) throws Exception {
    byte[] again = (begin.startsWith("HTTP/1.1 1") ? begin : ":\n\n").getBytes("ISO-8859-1");
    CompletionResult result =
        ask(
            (out, socket) -> {
              write(out, begin);
              while (!begin.isEmpty()) {
                out.write(again);
                new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
              }
              new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            },
            PATIENCE_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.TIMED_OUT);
  }

  /** Four million chunks take seconds, where a machine is slow many. */
  @Test
  @Tag("stress")
  void aStreamOfTooManyChunksIsGivenUp() throws Exception {
    String chunk = "data: {\"choices\":[{\"text\":\"x\"}]}\n\n";
    byte[] chunks = chunk.repeat(1 << 10).getBytes(StandardCharsets.UTF_8);
    CompletionResult result =
        ask(
            (out, socket) -> {
              write(out, HEAD + "\r\n");
              while (true) {
                out.write(chunks);
              }
            },
            LONG_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(result.ending().detail())
        .contains("given up after " + StreamEvents.MOST_CHUNKS + " chunks");
    assertThat(result.chunks().size()).isEqualTo(StreamEvents.MOST_CHUNKS);
  }

  @Test
  void aHugeChunkIsReadWhole() throws Exception {
    String text = "x".repeat(12 << 20);
    CompletionResult result =
        ask(
            ScriptedServer.stream("data: {\"choices\":[{\"text\":\"" + text + "\"}]}\n\n" + DONE),
            LONG_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
    assertThat(result.chunks().size()).isEqualTo(1);
  }

  @Test
  void aDeepChunkIsMalformed() throws Exception {
    String deep = "data: {\"choices\":[{\"delta\":{\"content\":" + "[".repeat(1 << 20) + "\n\n";
    CompletionResult result = ask(ScriptedServer.stream(deep + DONE), LONG_NANOS);

    assertThat(result.ending().outcome()).isEqualTo(Outcome.MALFORMED_CHUNK);
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 204, 205, 206, 226, 599, 999})
  void anOddStatusIsNoStreamOrAFailureWithThatStatus(int status) throws Exception {
    CompletionResult result =
        ask((out, socket) -> write(out, "HTTP/1.1 " + status + " X\r\n\r\n"), LONG_NANOS);

    assertThat(result.ending().status()).isEqualTo(status);
    assertThat(result.ending().outcome())
        .isEqualTo(status / 100 == 2 ? Outcome.NOT_A_STREAM : Outcome.HTTP_ERROR);
  }

  private CompletionResult ask(ScriptedServer.Script script, long limit) throws Exception {
    try (ScriptedServer server = new ScriptedServer(script);
        CompletionClient client = new CompletionClient(settings(limit), threads)) {
      return ask(client, server.url());
    }
  }

  private CompletionResult ask(CompletionClient client, String url) throws Exception {
    LinkedBlockingQueue<CompletionResult> results = new LinkedBlockingQueue<>();
    client.start(call(url, System.nanoTime(), 0), false, results::add);
    CompletionResult first = results.poll(40, TimeUnit.SECONDS);
    assertThat(first).isNotNull();
    assertThat(results).isEmpty();
    return first;
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private static void write(OutputStream out, String text) throws Exception {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
