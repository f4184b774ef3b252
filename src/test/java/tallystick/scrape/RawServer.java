package tallystick.scrape;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers each request with a test's bytes, and notes what it was asked. */
final class RawServer implements AutoCloseable {
  private final ServerSocket socket;
  private final Answer answer;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  /** Writes an answer; false if the connection is to be closed after it. */
  interface Answer {
    boolean write(int request, OutputStream out) throws IOException, InterruptedException;
  }

  RawServer(Answer answer) throws IOException {
    this.answer = answer;
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** One that answers every request with the same text and keeps its connections. */
  static RawServer saying(String text) throws IOException {
    return new RawServer(
        (request, out) -> {
          out.write(text.getBytes(StandardCharsets.ISO_8859_1));
          return true;
        });
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + path);
  }

  /** Connections accepted so far. */
  int connections() {
    return connections.get();
  }

  /** The heads of the requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
      boolean isKept = isText(in);
      while (isKept) {
        StringBuilder head = new StringBuilder();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
          head.append(line).append('\n');
        }
        requests.add(head.toString());
        isKept = answer.write(requests.size(), connection.getOutputStream());
        connection.getOutputStream().flush();
      }
    } catch (IOException | NullPointerException e) {
      // The client is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Like servers of plain HTTP, it hangs up on the first words of TLS. */
  private static boolean isText(BufferedReader in) throws IOException {
    in.mark(1);
    boolean isText = in.read() >= ' ';
    in.reset();
    return isText;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
