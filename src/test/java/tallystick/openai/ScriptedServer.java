package tallystick.openai;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of raw bytes: it reads a whole request, writes what the script says, and notes what it
 * was asked. One connection at a time for each thread it starts.
 */
public final class ScriptedServer implements AutoCloseable {
  /** What happens on a connection after a request has been read. */
  public interface Script {
    void play(OutputStream out, Socket socket) throws Exception;
  }

  /** Chooses the script of a request. */
  public interface Answers {
    Script to(Asked request);
  }

  /**
   * A request as it came.
   *
   * @param number how many came before it
   * @param line for example {@code POST /v1/completions}
   * @param head every line of its head
   */
  public record Asked(int number, String line, String head, String body) {}

  private final ServerSocket server;
  private final Answers answers;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final AtomicInteger count = new AtomicInteger();

  ScriptedServer(Script script) throws IOException {
    this(request -> script);
  }

  public ScriptedServer(Answers answers) throws IOException {
    this.server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    this.answers = answers;
    Thread.ofPlatform().daemon().name("scripted-server").start(this::accept);
  }

  /** A script that sends an event stream in one write and closes. */
  public static Script stream(String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  /** A script that answers with a status and a JSON body. */
  public static Script status(int code, String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 " + code + " X\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  public String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** Head and body of every request so far. */
  public List<String> requests() {
    return requests;
  }

  /** The requests so far whose line begins so, for example {@code POST /v1/completions}. */
  public List<Asked> asked(String line) {
    return asked.stream().filter(request -> request.line().startsWith(line)).toList();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().name("scripted-connection").start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      StringBuilder head = new StringBuilder();
      int length = 0;
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.append(line).append('\n');
        if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      char[] body = new char[length];
      for (int read = 0; read < length; ) {
        read += in.read(body, read, length - read);
      }
      requests.add(head + "\n" + new String(body));
      String line = head.toString().split(" HTTP/")[0];
      Asked request =
          new Asked(count.getAndIncrement(), line, head.toString(), new String(body));
      asked.add(request);
      answers.to(request).play(socket.getOutputStream(), socket);
      socket.getOutputStream().flush();
    } catch (Exception e) {
      requests.add("failed: " + e);
    }
  }
}
