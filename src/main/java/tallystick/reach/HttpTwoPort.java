package tallystick.reach;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Finds out whether a port that did not understand HTTP/1.1 speaks HTTP/2 without TLS. Source: RFC
 * 9113, 3.4 and 4.1: both sides begin with a frame of settings.
 */
final class HttpTwoPort {
  private static final int PATIENCE_MILLIS = 2_000;
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int FRAME_HEAD_BYTES = 9;
  private static final int TYPE_AT = 3;
  private static final byte SETTINGS = 4;

  private HttpTwoPort() {}

  /** Whether the server greets as HTTP/2 does. Nothing but a greeting is sent to it. */
  static boolean speaksHttpTwo(WebOrigin origin) {
    try (Socket plain = new Socket(Proxy.NO_PROXY)) {
      plain.connect(
          new InetSocketAddress(origin.socketHost(), origin.port()), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      plain.getOutputStream().write(PREFACE);
      plain.getOutputStream().write(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0});
      return isSettings(plain.getInputStream().readNBytes(FRAME_HEAD_BYTES));
    } catch (IOException e) {
      return false;
    }
  }

  /** Of the connection itself, which is stream 0. */
  private static boolean isSettings(byte[] head) {
    boolean isOfConnection = head.length == FRAME_HEAD_BYTES && head[TYPE_AT] == SETTINGS;
    for (int i = TYPE_AT + 2; isOfConnection && i < FRAME_HEAD_BYTES; i++) {
      isOfConnection = head[i] == 0;
    }
    return isOfConnection;
  }
}
