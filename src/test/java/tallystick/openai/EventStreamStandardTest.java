package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.runrecord.Outcome.CUT_MID_STREAM;
import static tallystick.runrecord.Outcome.EMPTY_STREAM;
import static tallystick.runrecord.Outcome.ERROR_EVENT;
import static tallystick.runrecord.Outcome.MALFORMED_CHUNK;
import static tallystick.runrecord.Outcome.OK;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.runrecord.Outcome;

/**
 * The rules of the event-stream standard (WHATWG HTML, 9.2.5 and 9.2.6), each through the whole way
 * from a socket to a result. Every body comes whole, byte by byte, and cut in two at each position:
 * an HTTP chunk ends a read of the body, whatever TCP puts together.
 */
class EventStreamStandardTest {
  private static final String DONE = "data: [DONE]\n\n";
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static CompletionClient client;
  private static ScriptedServer server;
  private static volatile List<byte[]> answer;

  /**
   * A body and what it says.
   *
   * @param rule what is tried
   * @param texts text of each content chunk
   */
  private record Case(String rule, byte[] body, Outcome outcome, String... texts) {
    @Override
    public String toString() {
      return rule;
    }
  }

  @BeforeAll
  static void open() throws IOException {
    server = new ScriptedServer((OutputStream out, Socket socket) -> send(out, answer));
    client =
        new CompletionClient(new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", "", Map.of()));
  }

  @AfterAll
  static void close() throws IOException {
    client.close();
    server.close();
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>(lineCases());
    cases.addAll(fieldCases());
    cases.addAll(endCases());
    cases.addAll(encodingCases());
    return cases;
  }

  private static List<Case> lineCases() {
    String a = chunk("a");
    String b = chunk("b");
    return List.of(
        one("LF ends a line", "data:" + a + "\n\ndata:" + b + "\n\n" + DONE, OK, "a", "b"),
        one("CRLF ends a line", ("data:" + a + "\n\n" + DONE).replace("\n", "\r\n"), OK, "a"),
        one("CR ends a line", ("data:" + a + "\n\n" + DONE).replace("\n", "\r"), OK, "a"),
        one("line ends may be mixed",
            "data:" + a + "\r\n\ndata:" + b + "\n\r\ndata:" + a + "\r\r\n" + DONE, OK,
            "a", "b", "a"),
        one("CR LF CR LF is one empty line", "data:" + a + "\r\n\r\n" + DONE, OK, "a"),
        one("LF CR is two line ends", "data:" + a + "\n\r" + DONE, OK, "a"),
        one("empty lines alone say nothing", "\n\r\n\r\n\n\n" + "data:" + a + "\n\n" + DONE, OK,
            "a"),
        one("a byte order mark leads", "\uFEFFdata:" + a + "\n\n" + DONE, OK, "a"),
        one("a second byte order mark is part of a field's name",
            "\uFEFF\uFEFFdata:" + b + "\n\ndata:" + a + "\n\n" + DONE, OK, "a"),
        one("a byte order mark inside is part of a field's name",
            "data:" + a + "\n\n\uFEFFdata:" + b + "\n\n" + DONE, OK, "a"));
  }

  private static List<Case> fieldCases() {
    String a = chunk("a");
    return List.of(
        one("comments say nothing", ":\n: data:" + a + "\n\n:x\ndata:" + a + "\n:y\n\n" + DONE, OK,
            "a"),
        one("one space after the colon is no data", "data: " + a + "\n\n" + DONE, OK, "a"),
        one("a tab after the colon is data", "data:\t" + a + "\n\n" + DONE, OK, "a"),
        one("further spaces are data", "data:   " + a + "  \n\n" + DONE, OK, "a"),
        one("lines of data are joined",
            "data: {\"choices\":\ndata: [{\"index\":0,\ndata:\"text\":\"a\"}]}\n\n" + DONE, OK,
            "a"),
        one("joined lines keep their line feed",
            "data: {\"choices\":[{\"index\":0,\"text\":\"a\ndata: b\"}]}\n\n" + DONE,
            MALFORMED_CHUNK),
        one("data without a colon is an empty line of data",
            "data\ndata:" + a + "\ndata\n\n" + DONE, OK, "a"),
        one("an event of empty data is no chunk", "data\n\ndata:\n\ndata: \n\n" + "data:" + a
            + "\n\n" + DONE, OK, "a"),
        one("unknown fields say nothing",
            "foo: bar\ndata:" + a + "\nDATA:x\n data:x\ndata :x\ndatas:x\n\n" + DONE, OK, "a"),
        one("a line without a colon is an unknown field", "nothing\ndata:" + a + "\n\n" + DONE, OK,
            "a"),
        one("ids say nothing", "id: 1\ndata:" + a + "\n\nid\n\nid:\n\n" + DONE, OK, "a"),
        one("an id with NUL says nothing", "id: 1\u00002\ndata:" + a + "\n\n" + DONE, OK, "a"),
        one("retry says nothing", "retry: 1\ndata:" + a + "\nretry: x\nretry\n\n" + DONE, OK, "a"),
        one("a field of every kind", "event: message\nid: 7\nretry: 5\ndata:" + a + "\n\n" + DONE,
            OK, "a"),
        one("an event without data is none", "event: error\n\ndata:" + a + "\n\n" + DONE, OK, "a"),
        one("a type holds for one event", "event: ping\ndata: pong\n\ndata:" + a + "\n\n" + DONE,
            OK, "a"),
        one("a type without a value is the usual one", "event\ndata:" + a + "\n\n" + DONE, OK, "a"),
        one("the type error is an error", "event: error\ndata: it broke\n\n" + DONE, ERROR_EVENT),
        one("a colon inside data is data", "data:" + chunk("a:b") + "\n\n" + DONE, OK, "a:b"));
  }

  private static List<Case> endCases() {
    String a = chunk("a");
    return List.of(
        one("a last event without its empty line is none", "data:" + a + "\n\ndata: [DONE]\n",
            CUT_MID_STREAM, "a"),
        one("a last line without its end is none", "data:" + a + "\n\ndata: [DONE]", CUT_MID_STREAM,
            "a"),
        one("content without its empty line is none", DONE + "data:" + a + "\n", EMPTY_STREAM),
        one("a body may end in CR", "data:" + a + "\r\rdata: [DONE]\r\r", OK, "a"),
        one("an empty body says nothing", "", EMPTY_STREAM),
        one("a byte order mark alone says nothing", "\uFEFF", EMPTY_STREAM));
  }

  private static List<Case> encodingCases() {
    return List.of(
        one("UTF-8 of two, three and four bytes", "data:" + chunk("ä€😀") + "\n\n" + DONE, OK,
            "ä€😀"),
        one("line separators of Unicode end no line",
            "data:" + chunk("a\u2028b\u0085c") + "\n\n" + DONE, OK, "a\u2028b\u0085c"),
        new Case("a stray byte becomes a replacement character",
            bytes("data:", chunk("a"), 0xFF, chunk("b")), MALFORMED_CHUNK),
        new Case("bytes that are no UTF-8 become replacement characters in the text",
            bytes("", "data:{\"choices\":[{\"index\":0,\"text\":\"a", 0xC3, "b\"}]}\n\n" + DONE),
            OK, "a\uFFFDb"),
        new Case("a cut character swallows nothing behind it",
            bytes("", "data:{\"choices\":[{\"index\":0,\"text\":\"a", 0xE2, "\"}]}\n\n" + DONE),
            OK, "a\uFFFD"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isReadAsTheStandardSaysHoweverItIsCut(Case tried) throws Exception {
    check(tried, tried.body().length);
    check(tried, 1);
    for (int cut = 1; cut < tried.body().length; cut++) {
      check(tried, -cut);
    }
  }

  /** Sends in pieces of a size, or, where it is negative, in two pieces. */
  private static void check(Case tried, int size) throws Exception {
    List<byte[]> pieces = new ArrayList<>();
    int step = Math.max(1, Math.abs(size));
    for (int from = 0; from < tried.body().length; ) {
      int to = size < 0 && from > 0 ? tried.body().length : from + step;
      to = Math.min(to, tried.body().length);
      pieces.add(Arrays.copyOfRange(tried.body(), from, to));
      from = to;
    }
    CompletionResult result = ask(pieces);
    String where = tried.rule() + ", pieces of " + size;
    assertThat(result.ending().outcome()).as(where).isEqualTo(tried.outcome());
    if (tried.outcome() != MALFORMED_CHUNK) {
      assertThat(result.chunks().size()).as(where).isEqualTo(tried.texts().length);
      assertThat(result.text()).as(where).isEqualTo(String.join("", tried.texts()));
    }
  }

  private static CompletionResult ask(List<byte[]> pieces) throws Exception {
    answer = pieces;
    CompletableFuture<CompletionResult> result = new CompletableFuture<>();
    CompletionRequest call =
        new CompletionRequest(
            server.url() + "/v1/completions", new byte[] {'{', '}'}, "id", "",
            System.nanoTime(), 0, 0, false);
    client.start(call, true, result::complete);
    return result.get(30, TimeUnit.SECONDS);
  }

  private static void send(OutputStream out, List<byte[]> pieces) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    for (byte[] piece : pieces) {
      all.writeBytes(
          (Integer.toHexString(piece.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      all.writeBytes(piece);
      all.writeBytes(new byte[] {'\r', '\n'});
    }
    all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    all.writeTo(out);
  }

  private static Case one(String rule, String body, Outcome outcome, String... texts) {
    return new Case(rule, body.getBytes(StandardCharsets.UTF_8), outcome, texts);
  }

  private static String chunk(String text) {
    return "{\"choices\":[{\"index\":0,\"text\":\"" + text + "\"}]}";
  }

  /** Bytes with one that is no UTF-8 between two texts; ends as a whole stream does. */
  private static byte[] bytes(String before, String text, int wrong, String after) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes((before + text).getBytes(StandardCharsets.UTF_8));
    all.write(wrong);
    String end = after.endsWith(DONE) ? after : after + "\n\n" + DONE;
    all.writeBytes(end.getBytes(StandardCharsets.UTF_8));
    return all.toByteArray();
  }
}
