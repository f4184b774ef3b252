package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * OkHttp's reader behind {@link EventBody} against a slow one that follows the standard's text line
 * by line, on any bytes and however they are cut; and what OkHttp's reader makes of them alone.
 */
class EventBodyTest {
  private static final int STREAMS = 4_000;
  private static final String[] PIECES = {
    "data", "data:", "data: ", "data: {\"a\":1}", "data:x", "event: error", "event:", "event",
    "id: 7", "retry: 9", ": hm", ":", "foo: bar", "dat", "datas: y", "eventual: z", "ä€😀", " ",
    "\uFEFF", "data: [DONE]", "data:  two", "x".repeat(5_000), "data: " + "y".repeat(9_000)
  };
  private static final String[] ENDS = {"\n", "\n", "\n\n", "\r\n", "\r", "\r\r\n", "\n\r", ""};

  @Test
  void readsRecordedStreamsAsTheStandardSays() throws IOException {
    Random random = new Random(1);
    for (String name : List.of("chat-stream", "completions-stream", "stream-interval4")) {
      try (InputStream in = EventBodyTest.class.getResourceAsStream(name + ".sse")) {
        byte[] body = in.readAllBytes();
        assertThat(read(body, random)).as(name).isNotEmpty().isEqualTo(standards(body));
      }
    }
  }

  @Test
  void readsAnyBytesAsTheStandardSays() {
    Random random = new Random(3);
    int events = 0;
    for (int i = 0; i < STREAMS; i++) {
      byte[] bytes = made(random).getBytes(StandardCharsets.UTF_8);
      for (int wrong = random.nextInt(3); wrong > 0 && bytes.length > 0; wrong--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      List<String> read = read(bytes, random);
      assertThat(read).isEqualTo(standards(bytes));
      events += read.size();
    }
    assertThat(events).isGreaterThan(STREAMS);
  }

  /** If one of these fails, the library has learnt it and {@link EventBody} may forget it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id: 9\rdata: x\r\r", "\uFEFFdata: x\n\n", "data: x\n\ndata: y", "data: x\n\nevent: y"
      })
  void knowsWhatOkHttpsReaderAloneReadsOtherwise(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(standards(bytes)).containsExactly("|x");
    assertThat(okHttps(new Buffer().write(bytes))).isNotEqualTo(standards(bytes));
    assertThat(okHttps(Okio.buffer(body(new Buffer().write(bytes)))))
        .isEqualTo(standards(bytes));
  }

  @Test
  void tellsTextBehindAPlaceFromLineEnds() throws IOException {
    assertThat(hasTextAfter("data: [DONE]\n\n", 14)).isFalse();
    assertThat(hasTextAfter("data: [DONE]\r\n\r\n\r\n\n\r", 14)).isFalse();
    assertThat(hasTextAfter("data: [DONE]\n\n:\n", 14)).isTrue();
    assertThat(hasTextAfter("data: [DONE]\n\nx", 14)).isTrue();
  }

  @Test
  void countsWhatArrived() throws IOException {
    EventBody body = body(new Buffer().writeUtf8("\uFEFFa\r\nb"));
    new Buffer().writeAll(body);

    assertThat(body.arrivedBytes()).isEqualTo(7);
    assertThat(body.handedBytes()).isEqualTo(4);
  }

  private static EventBody body(BufferedSource source) {
    return new EventBody(source, () -> {});
  }

  private static boolean hasTextAfter(String text, long place) throws IOException {
    EventBody body = body(new Buffer().writeUtf8(text));
    new Buffer().writeAll(body);
    return body.hasTextAfter(place);
  }

  static List<String> read(byte[] body, Random random) {
    List<Integer> sizes = new ArrayList<>();
    int most = 1 + random.nextInt(1 << random.nextInt(14));
    for (int left = body.length; left > 0; left -= sizes.get(sizes.size() - 1)) {
      sizes.add(Math.min(left, 1 + random.nextInt(most)));
    }
    return okHttps(Okio.buffer(body(Okio.buffer(cut(body, sizes)))));
  }

  /** Gives the bytes in reads of these sizes. */
  private static Source cut(byte[] body, List<Integer> sizes) {
    return new Source() {
      private int at;
      private int piece;

      @Override
      public long read(Buffer sink, long byteCount) {
        if (piece == sizes.size()) {
          return -1;
        }
        int size = sizes.get(piece++);
        sink.write(body, at, size);
        at += size;
        return size;
      }

      @Override
      public Timeout timeout() {
        return Timeout.NONE;
      }

      @Override
      public void close() {}
    };
  }

  private static List<String> okHttps(BufferedSource body) {
    List<String> events = new ArrayList<>();
    MediaType type = MediaType.get("text/event-stream");
    Response response =
        new Response.Builder()
            .request(new Request.Builder().url("http://127.0.0.1/").build())
            .protocol(Protocol.HTTP_1_1)
            .code(200)
            .message("OK")
            .body(ResponseBody.create(body, type, -1))
            .build();
    EventSources.processResponse(
        response,
        new EventSourceListener() {
          @Override
          public void onEvent(EventSource source, String id, String type, String data) {
            events.add((type == null ? "" : type) + "|" + data);
          }

          @Override
          public void onFailure(EventSource source, Throwable failure, Response response) {
            events.add("failed: " + failure);
          }
        });
    return events;
  }

  /** WHATWG HTML 9.2.6, word for word; ids and retry times left out. */
  static List<String> standards(byte[] body) {
    String decoded = new String(body, StandardCharsets.UTF_8);
    String text = decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
    List<String> events = new ArrayList<>();
    StringBuilder data = new StringBuilder();
    String type = "";
    String[] lines = text.split("\r\n|\n|\r", -1);
    // What follows the last line end is a line cut off: the end of the file discards it.
    for (int i = 0; i < lines.length - 1; i++) {
      String line = lines[i];
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      if (line.isEmpty()) {
        if (data.length() > 0) {
          events.add(type + "|" + data.substring(0, data.length() - 1));
        }
        data.setLength(0);
        type = "";
      } else if (name.equals("data")) {
        data.append(value).append('\n');
      } else if (name.equals("event")) {
        type = value;
      }
    }
    return events;
  }

  private static String made(Random random) {
    StringBuilder body = new StringBuilder();
    for (int lines = random.nextInt(24); lines > 0; lines--) {
      // Few long ones, else every stream is one.
      int most = random.nextInt(20) == 0 ? PIECES.length : PIECES.length - 2;
      body.append(PIECES[random.nextInt(most)]).append(ENDS[random.nextInt(ENDS.length)]);
    }
    return body.toString();
  }
}
