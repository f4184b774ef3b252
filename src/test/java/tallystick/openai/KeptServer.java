package tallystick.openai;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server that keeps its connections, and counts them and the requests that came on them. */
final class KeptServer implements AutoCloseable {
  private final ServerSocket server;
  private final Function<Asked, Turn> turns;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();

  /** A request: how many came before it. */
  record Asked(int number) {}

  /** What the server does about a request: the bytes it writes, and whether it hangs up then. */
  record Turn(String bytes, boolean hangsUp) {
    static Turn hangUp() {
      return new Turn("", true);
    }

    static Turn bytesThenHangUp(String bytes) {
      return new Turn(bytes, true);
    }

    /** A whole stream, and what comes right behind it. */
    static Turn answer(String body, String behind) {
      return new Turn(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
              + body.length() + "\r\n\r\n" + body + behind,
          false);
    }

    /** The same, and the connection is closed behind it without a word. */
    Turn thenHangUp() {
      return new Turn(bytes, true);
    }

    Turn keptFor(String told) {
      return new Turn(
          bytes.replace("\r\n\r\n", "\r\nKeep-Alive: " + told + "\r\n\r\n"), hangsUp);
    }
  }

  KeptServer(Function<Asked, Turn> turns) throws IOException {
    this(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), turns);
  }

  KeptServer(ServerSocket server, Function<Asked, Turn> turns) {
    this.server = server;
    this.turns = turns;
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "kept-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      while (readRequest(in)) {
        Turn turn = turns.apply(new Asked(requests.getAndIncrement()));
        socket.getOutputStream().write(turn.bytes().getBytes(StandardCharsets.UTF_8));
        if (turn.hangsUp()) {
          return;
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static boolean readRequest(BufferedReader in) throws IOException {
    int length = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isEmpty()) {
        for (int i = 0; i < length; i++) {
          in.read();
        }
        return true;
      }
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    return false;
  }
}
