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

/**
 * A server of raw bytes: it reads a whole request, writes what the script says, and notes what it
 * was asked. One connection at a time for each thread it starts.
 */
final class ScriptedServer implements AutoCloseable {
  /** What happens on a connection after a request has been read. */
  interface Script {
    void play(OutputStream out, Socket socket) throws Exception;
  }

  private final ServerSocket server;
  private final Script script;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ScriptedServer(Script script) throws IOException {
    this.server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    this.script = script;
    Thread thread = new Thread(this::accept, "scripted-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** A script that sends an event stream in one write and closes. */
  static Script stream(String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  /** A script that answers with a status and a JSON body. */
  static Script status(int code, String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 " + code + " X\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** Head and body of every request so far. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread thread = new Thread(() -> serve(socket), "scripted-connection");
        thread.setDaemon(true);
        thread.start();
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
      script.play(socket.getOutputStream(), socket);
      socket.getOutputStream().flush();
    } catch (Exception e) {
      requests.add("failed: " + e);
    }
  }
}
