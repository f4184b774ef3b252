import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The least a Java client can do: one socket, one thread, a line reader that stamps each data line.
 * No JSON, no phases, no record. The yardstick for what the machine itself adds.
 */
final class BareConnection implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader in;
  private final OutputStream out;
  private final String path;

  BareConnection(int port, String path) throws IOException {
    this.path = path;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    out = socket.getOutputStream();
  }

  static byte[] request(String path, String id, int tokens) {
    String body =
        "{\"model\":\"paced\",\"prompt\":\"x\",\"stream\":true,\"max_tokens\":" + tokens + "}";
    return ("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "X-Request-Id: " + id + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Plays one request; gives the moment it was written, then one of each token. */
  long[] play(String id, int tokens) throws IOException {
    long[] moments = new long[tokens + 1];
    out.write(request(path, id, tokens));
    moments[0] = System.nanoTime();
    int count = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      long now = System.nanoTime();
      if (line.startsWith("data: ") && count < tokens) {
        moments[++count] = now;
      } else if (line.equals("0")) {
        in.readLine();
        return moments;
      }
    }
    throw new IOException("the stream of " + id + " broke off after " + count + " tokens");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
