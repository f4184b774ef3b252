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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers every POST with the same short answer, inside this process; measures nothing. A
 * connection has few answers, so that connecting is rehearsed too.
 */
final class RehearsalServer implements AutoCloseable {
  private static final int TOKENS = 16; // with six, starts at 1,000/s were 1 ms later at P99
  private static final int ANSWERS = 2; // so that connecting is compiled, too
  private static final byte[] HEAD = head("");
  private static final byte[] LAST_HEAD = head("Connection: close\r\n");
  private static final byte[] WHOLE = whole("");
  private static final byte[] LAST_WHOLE = whole("Connection: close\r\n");
  private static final List<byte[]> EVENTS = events();

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
      Optional<Boolean> asksForStream = skipRequest(in);
      for (int left = ANSWERS; left > 0 && asksForStream.isPresent(); left--) {
        answer(socket.getOutputStream(), asksForStream.get(), left == 1);
        asksForStream = left > 1 ? skipRequest(in) : Optional.empty();
      }
    } catch (IOException e) {
      // The client closed its end, which is how a rehearsal ends.
      return;
    }
  }

  /** Whether the request wants a stream; empty where none comes. */
  private static Optional<Boolean> skipRequest(InputStream in) throws IOException {
    long body = 0;
    boolean asksForStream = true;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        body = Long.parseLong(line.substring(15).strip());
      }
      asksForStream &= !line.equalsIgnoreCase("accept: application/json");
    }
    in.skipNBytes(body);
    return body > 0 ? Optional.of(asksForStream) : Optional.empty();
  }

  /** A line of a request's head; empty at its end, and where the client has gone. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }

  private static void answer(OutputStream out, boolean isStream, boolean isLast)
      throws IOException {
    if (!isStream) {
      out.write(isLast ? LAST_WHOLE : WHOLE);
      return;
    }
    out.write(isLast ? LAST_HEAD : HEAD);
    for (byte[] event : EVENTS) {
      out.write(event);
    }
  }

  private static byte[] whole(String fields) {
    String body =
        "{\"id\":\"r\",\"choices\":[{\"index\":0,\"text\":\" a\",\"message\":{\"content\":\" a\"},"
            + "\"finish_reason\":\"length\"}],"
            + "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}";
    return bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + fields
            + "Content-Length: " + body.length() + "\r\n\r\n" + body);
  }

  private static byte[] head(String fields) {
    return bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + fields
            + "Transfer-Encoding: chunked\r\n\r\n");
  }

  private static List<byte[]> events() {
    List<byte[]> events = new ArrayList<>();
    for (int i = 1; i <= TOKENS; i++) {
      events.add(
          event(
              "{\"id\":\"r\",\"choices\":[{\"index\":0,\"text\":\" a\","
                  + "\"delta\":{\"content\":\" a\"},\"finish_reason\":null}],"
                  + "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":" + i + "}}"));
    }
    events.add(event("[DONE]"));
    events.add(bytes("0\r\n\r\n"));
    return events;
  }

  private static byte[] event(String data) {
    String event = "data: " + data + "\n\n";
    return bytes(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
