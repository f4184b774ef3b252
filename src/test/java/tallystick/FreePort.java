package tallystick;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback port for a process that is told its port. It lies below those that the system hands
 * out, so that no connection of anybody takes it before the process does.
 */
public final class FreePort {
  private static final int LEAST = 20_000;
  private static final int BEYOND = 32_000;

  private FreePort() {}

  public static int any() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LEAST, BEYOND);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Somebody has this one: the next.
      }
    }
  }
}
