package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

class CountingSocketsTest {
  private static final int CONNECT_MILLIS = 10_000;

  /** With Nagle's algorithm prompts of more than 8 KiB took 40 ms longer to the first token. */
  @Test
  void theRestOfALongPromptWaitsForNoAcknowledgement() throws Exception {
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new CountingSockets(watch).createSocket()) {
      client.connect(server.getLocalSocketAddress(), CONNECT_MILLIS);

      assertThat(client.getTcpNoDelay()).isTrue();
    } finally {
      watch.shutdownNow();
    }
  }
}
