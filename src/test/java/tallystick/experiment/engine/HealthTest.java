package tallystick.experiment.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HealthTest {
  private static final int DRIPS = 100;

  /** Answers each byte soon, and never the whole. */
  private static void drip(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getOutputStream()
          .write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < DRIPS; i++) {
        TimeUnit.MILLISECONDS.sleep(DRIPS);
        socket.getOutputStream().write('a');
      }
    } catch (IOException | InterruptedException e) {
      // Who asked has left.
      return;
    }
  }

  @Test
  @Timeout(8)
  void anAnswerThatTricklesIsNoneAndHoldsNobodyUp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> drip(server));

      assertThat(new Health("http://127.0.0.1:" + server.getLocalPort()).isGood()).isFalse();
    }
  }
}
