package tallystick.gatling;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Answers every POST with the same short stream, inside this process; measures nothing. A
 * connection has few answers, so that connecting is rehearsed too.
 */
final class RehearsalServer implements AutoCloseable {
  private static final int TOKENS = 16;
  private static final int ANSWERS = 4;

  private final ServerSocket server;

  RehearsalServer() throws IOException {
    server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.ofPlatform().daemon().name("rehearsal-server").start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().name("rehearsal-connection").start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closing the server socket ends the accepting.
      return;
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int left = ANSWERS; left > 0 && skipRequest(in); left--) {
        answer(socket.getOutputStream(), left == 1);
      }
    } catch (IOException e) {
      // The client closed its end, which is how a rehearsal ends.
      return;
    }
  }

  private static boolean skipRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    for (String line : head.toString().split("\r\n")) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        in.skipNBytes(Long.parseLong(line.substring(15).strip()));
      }
    }
    return true;
  }

  private static void answer(OutputStream out, boolean isLast) throws IOException {
    write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        + (isLast ? "Connection: close\r\n" : "") + "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 1; i <= TOKENS; i++) {
      event(
          out,
          "{\"id\":\"r\",\"choices\":[{\"index\":0,\"text\":\" a\",\"delta\":{\"content\":\" a\"},"
              + "\"finish_reason\":null}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":"
              + i + "}}");
    }
    event(out, "[DONE]");
    write(out, "0\r\n\r\n");
  }

  private static void event(OutputStream out, String data) throws IOException {
    String event = "data: " + data + "\n\n";
    write(out, Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
