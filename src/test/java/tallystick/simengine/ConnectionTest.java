package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of connections that are idle or read slowly. */
class ConnectionTest extends EngineOverHttp {

  @Test
  void closesAConnectionThatIsIdleAfterAnAnswer() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("http-timeout-keep-alive", "0.05"));
        Socket socket = new Socket("127.0.0.1", URI.create(engine.url()).getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
      String answer = new String(socket.getInputStream().readAllBytes());
      assertThat(answer).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void passesOverAnOfferToSpeakHttp2AsUvicornDoes() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("http-timeout-keep-alive", "0.05"));
        Socket socket = new Socket("127.0.0.1", URI.create(engine.url()).getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String offer =
          "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
      socket.getOutputStream().write(offer.getBytes());
      String answer = new String(socket.getInputStream().readAllBytes());
      assertThat(answer).startsWith("HTTP/1.1 200").doesNotContain("101 Switching");
    }
  }

  @Test
  void keepsAConnectionOpenWhileItsAnswerIsOnTheWay() throws Exception {
    Map<String, String> flags =
        Map.of("http-timeout-keep-alive", "0.005", "profile", "tiny-cpu");
    try (EmbeddedEngine engine = start(flags)) {
      List<String> events = events(completion(engine, "\"prompt\":[9],\"max_tokens\":40"));
      assertThat(events.getLast()).isEqualTo("[DONE]");
      assertThat(tokenCount(events)).isEqualTo(40);
    }
  }

  @Test
  void mergesTheChunksThatASlowReaderLeavesBehind() throws Exception {
    try (EmbeddedEngine engine = start(Map.of("profile", "zero", "max-model-len", "30000"));
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(new InetSocketAddress("127.0.0.1", URI.create(engine.url()).getPort()));
      String body = streamed("\"prompt\":[9],\"max_tokens\":29000");
      String head =
          "POST /v1/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
              + "Content-Type: application/json\r\nContent-Length: " + body.length();
      socket.getOutputStream().write((head + "\r\n\r\n" + body).getBytes());
      // Nothing is read until the engine has made all, so most must wait in the server.
      await(() -> metric(engine, "vllm:generation_tokens_total") == 29_000);
      String all = new String(socket.getInputStream().readAllBytes());
      List<String> events =
          all.lines()
              .filter(line -> line.startsWith("data: "))
              .map(line -> line.substring("data: ".length()))
              .toList();
      assertThat(tokenCount(events)).isEqualTo(29_000);
      assertThat(events).hasSizeLessThan(20_000);
    }
  }
}
