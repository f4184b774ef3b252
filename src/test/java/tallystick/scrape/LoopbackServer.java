package tallystick.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tallystick.scenario.Target;

/** An HTTP server on a free loopback port whose answers a test writes. */
final class LoopbackServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Answers one exchange. */
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  LoopbackServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  LoopbackServer on(String path, Handler handler) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            handler.handle(exchange);
          }
        });
    return this;
  }

  Target target() {
    return Target.at("http://127.0.0.1:" + server.getAddress().getPort());
  }

  static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    answer(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  static void answer(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
