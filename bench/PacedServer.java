import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * An OpenAI-compatible server that streams tokens at a pace and logs when it really sent them; it
 * shares no code with the client it is the truth for.
 *
 * <pre>java bench/PacedServer.java PORT LOG [ttft_ms=100] [itl_ms=20]</pre>
 *
 * One log line for each request: id, then System.nanoTime() of: request read, each token written.
 */
final class PacedServer {
  private final long ttftNanos;
  private final long itlNanos;
  private final BufferedWriter log;

  private PacedServer(long ttftNanos, long itlNanos, BufferedWriter log) {
    this.ttftNanos = ttftNanos;
    this.itlNanos = itlNanos;
    this.log = log;
  }

  public static void main(String[] arguments) throws IOException {
    double ttft = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 100;
    double itl = arguments.length > 3 ? Double.parseDouble(arguments[3]) : 20;
    BufferedWriter log = Files.newBufferedWriter(Path.of(arguments[1]));
    PacedServer server = new PacedServer((long) (ttft * 1e6), (long) (itl * 1e6), log);
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
          4096);
      System.out.println("paced server on " + socket.getLocalPort());
      while (true) {
        Socket connection = socket.accept();
        connection.setTcpNoDelay(true);
        Thread thread = new Thread(null, () -> server.serve(connection), "c", 128 * 1024);
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (answer(in, out)) {
        // The connection is kept for the next request.
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private boolean answer(InputStream in, OutputStream out) throws IOException {
    String path = "";
    String id = "none";
    int length = 0;
    for (String line = line(in); line != null; line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (path.isEmpty()) {
        path = line.isEmpty() ? "" : line.split(" ")[1];
      } else if (line.isEmpty()) {
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        long read = System.nanoTime();
        if (path.startsWith("/v1/") && path.endsWith("completions")) {
          stream(out, id, read, maxTokens(body));
        } else {
          String models = "{\"object\":\"list\",\"data\":[{\"id\":\"paced\"}]}";
          String text = path.equals("/v1/models") ? models : "{}";
          out.write(
              ("HTTP/1.1 " + (path.equals("/v1/models") ? "200 OK" : "404 Not Found")
                      + "\r\nContent-Type: application/json\r\nContent-Length: " + text.length()
                      + "\r\n\r\n" + text)
                  .getBytes(StandardCharsets.UTF_8));
        }
        return true;
      } else if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      } else if (lower.startsWith("x-request-id:")) {
        id = line.substring(13).strip();
      }
    }
    return false;
  }

  private void stream(OutputStream out, String id, long read, int tokens) throws IOException {
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    long[] sent = new long[tokens];
    for (int i = 0; i < tokens; i++) {
      sleepUntil(read + ttftNanos + i * itlNanos);
      byte[] chunk =
          chunk(
              "data: {\"id\":\"cmpl-" + id + "\",\"object\":\"text_completion\",\"choices\":[{\"index\":0,"
                  + "\"text\":\" tok\",\"finish_reason\":" + (i == tokens - 1 ? "\"length\"" : "null")
                  + "}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":" + (i + 1) + "}}\n\n");
      sent[i] = System.nanoTime();
      out.write(chunk);
    }
    out.write(
        chunk(
            "data: {\"id\":\"cmpl-" + id + "\",\"choices\":[],\"usage\":{\"prompt_tokens\":1,"
                + "\"completion_tokens\":" + tokens + "}}\n\n"));
    out.write(chunk("data: [DONE]\n\n"));
    out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    StringBuilder line = new StringBuilder(id).append(' ').append(read);
    for (long moment : sent) {
      line.append(' ').append(moment);
    }
    synchronized (log) {
      log.write(line.append('\n').toString());
      log.flush();
    }
  }

  private static void sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static byte[] chunk(String event) {
    byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
    return (Integer.toHexString(bytes.length) + "\r\n" + event + "\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static int maxTokens(String body) {
    int at = body.indexOf("\"max_tokens\":");
    int from = at + 13;
    int to = from;
    while (to < body.length() && Character.isDigit(body.charAt(to)) || body.charAt(to) == ' ') {
      to++;
    }
    return at < 0 ? 16 : Integer.parseInt(body.substring(from, to).strip());
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        return text.toString().strip();
      }
      text.append((char) c);
    }
    return null;
  }
}
