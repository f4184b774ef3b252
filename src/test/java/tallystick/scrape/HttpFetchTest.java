package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFetchTest {
  private static final int LIMIT = 100_000;
  private static final String FIVE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na 50\n";

  private final HttpFetch fetch = new HttpFetch(Duration.ofSeconds(20), LIMIT, "");

  @AfterEach
  void close() {
    fetch.close();
  }

  @Test
  void asksAgainOnTheSameConnection() throws Exception {
    try (RawServer server = RawServer.saying(FIVE)) {
      for (int i = 0; i < 3; i++) {
        assertThat(text(server, "/metrics?a=b")).isEqualTo("a 50\n");
      }
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests().getFirst())
          .startsWith("GET /metrics?a=b HTTP/1.1\n")
          .contains("Host: 127.0.0.1:", "User-Agent: tallystick\n", "Accept: text/plain\n")
          .doesNotContain("Accept-Encoding");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na \r\n3;x=\"y\"\r\n50\n\r\n"
            + "0\r\nX-Trailer: 1\r\n\r\n",
        "HTTP/1.1 200 OK\ncontent-LENGTH:5\n\na 50\n",
        "HTTP/1.1 100 Continue\r\n\r\n" + FIVE,
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\na 50\n"
      })
  void understandsEveryFramingThatKeepsTheConnection(String answer) throws Exception {
    try (RawServer server = RawServer.saying(answer)) {
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n\r\na 50\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\na 50\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\na 50\n"
      })
  void opensAnotherConnectionWhereTheServerClosesIts(String answer) throws Exception {
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
              return false;
            })) {
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void asksOnceMoreWhenTheServerClosedARestingConnection() throws Exception {
    // uvicorn closes after five seconds of rest and does not announce it.
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              out.write(FIVE.getBytes(StandardCharsets.ISO_8859_1));
              return false;
            })) {
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void doesNotAskAgainOnceAnAnswerHasBegun() throws Exception {
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              String text = request == 1 ? FIVE : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na ";
              out.write(text.getBytes(StandardCharsets.ISO_8859_1));
              return request == 1;
            })) {
      assertThat(text(server, "/")).isEqualTo("a 50\n");
      assertThatThrownBy(() -> text(server, "/"))
          .isInstanceOf(IOException.class)
          .hasMessage("the answer was cut");
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SSH-2.0-OpenSSH_9.2\\r\\n | the answer is not HTTP/1.1",
        "HTTP/1.1 abc\\r\\n\\r\\n | the answer is not HTTP/1.1",
        "OK Content-Length: x\\r\\n\\r\\n | 'x' is not a length of an answer",
        "OK Content-Length: -4\\r\\n\\r\\n | '-4' is not a length of an answer",
        "OK Content-Length: 100001\\r\\n\\r\\n | the page has 0.1 MB",
        "HTTP/1.1 -20 OK\\r\\n\\r\\n | the answer breaks HTTP/1.1 (",
        "CHUNKED FFFFFF\\r\\n | the answer was cut",
        "CHUNKED -1\\r\\n | breaks HTTP/1.1",
        "CHUNKED zz\\r\\n | breaks HTTP/1.1",
        "CHUNKED 1\\r\\nabc\\r\\n | no whole end",
        "CHUNKED 2\\r\\na | the answer was cut",
        "OK Content-Encoding: br\\r\\nContent-Length: 0\\r\\n\\r\\n | encoding br",
        "HTTP/1.1 200 | the server sent no whole head"
      })
  void refusesWhatIsNoWholeAnswer(String answer, String words) throws IOException {
    String bytes =
        lines(
            answer
                .replace("CHUNKED ", "OK Transfer-Encoding: chunked\\r\\n\\r\\n")
                .replace("OK ", "HTTP/1.1 200 OK\\r\\n"));
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
              return false;
            })) {
      assertThatThrownBy(() -> text(server, "/"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(words);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X: | y | no whole head",
        "X: y\\r\\n | Y: y\\r\\n | no whole head",
        "Transfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n | Y: y\\r\\n | no whole end"
      })
  void refusesAHeadOrATrailerWithoutEnd(String beginning, String more, String words)
      throws IOException {
    String answer = "HTTP/1.1 200 OK\r\n" + lines(beginning) + lines(more).repeat(300_000);
    try (RawServer server = RawServer.saying(answer)) {
      assertThatThrownBy(() -> text(server, "/")).hasMessageContaining(words);
    }
  }

  @Test
  void givesUpOnAServerThatSendsAByteNowAndThen() throws IOException {
    try (HttpFetch hasty = new HttpFetch(Duration.ofMillis(300), LIMIT, "");
        RawServer server =
            new RawServer(
                (request, out) -> {
                  out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                  while (true) {
                    out.write('a');
                    out.flush();
                    Thread.sleep(10);
                  }
                })) {
      assertThatThrownBy(() -> hasty.get(server.uri("/"), Map.of()))
          .hasMessage("no whole answer within 0.3 s");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na"})
  void breaksOffWhatIsUnderWayWhenItIsClosed(String beginning) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
              out.flush();
              asked.countDown();
              never.await();
              return false;
            })) {
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread reader =
          Thread.ofPlatform().start(() -> end.set(catchThrowable(() -> text(server, "/"))));
      asked.await();
      fetch.close();
      assertThat(reader.join(Duration.ofSeconds(10))).as("broken off, not timed out").isTrue();
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://127.0.0.1/metrics, Expected URL scheme",
    "http:///metrics, none of http://host",
    "http://127.0.0.1:99999/metrics, Invalid URL port",
    "http://127.0.0.1:1/metrics, no connection: refused",
    "http://vllm_server.invalid:1/metrics, the host name is not known"
  })
  void saysWhatIsWrongWithAUrl(String url, String words) {
    assertThatThrownBy(() -> fetch.get(URI.create(url), Map.of())).hasMessageContaining(words);
  }

  @Test
  void sendsNoHeaderThatAnotherCouldHideIn() throws IOException {
    Map<String, String> headers = Map.of("Authorization", "Bearer a\r\nX-Other: b");
    try (RawServer server = RawServer.saying(FIVE)) {
      assertThatThrownBy(() -> fetch.get(server.uri("/"), headers))
          .hasMessage("this cannot be asked for: Unexpected char 0x0d at 8 in Authorization value");
      assertThat(server.requests()).isEmpty();
    }
  }

  private static String lines(String escaped) {
    return escaped.replace("\\r", "\r").replace("\\n", "\n");
  }

  private String text(RawServer server, String path) throws IOException, InterruptedException {
    HttpAnswer answer = fetch.get(server.uri(path), Map.of("Accept", "text/plain"));
    assertThat(answer.status()).isEqualTo(200);
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
