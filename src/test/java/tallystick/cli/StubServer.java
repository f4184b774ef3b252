package tallystick.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server of fixed answers, 404 for the rest. */
final class StubServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private StubServer(HttpServer server) {
    this.server = server;
  }

  static StubServer start(Map<String, String> answers) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    StubServer stub = new StubServer(server);
    server.createContext("/", exchange -> answer(exchange, answers));
    server.setExecutor(stub.threads);
    server.start();
    return stub;
  }

  /** The body of an answer, which may set headers of it too. */
  interface Body {
    byte[] of(HttpExchange exchange) throws IOException;
  }

  /** A server of metrics alone. */
  static StubServer ofMetrics(Body metrics) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            byte[] bytes = metrics.of(exchange);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    server.start();
    return new StubServer(server);
  }

  /** Sends short completions one after the other until told to stop, or the server is gone. */
  static void keepBusy(String url, AtomicBoolean isOver) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!isOver.get()) {
        complete(client, url);
      }
    } catch (UncheckedIOException e) {
      // The test is over.
    }
  }

  /** One short completion, to its end. */
  static void complete(HttpClient client, String url) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"model\":\"tiny\",\"prompt\":\"a b c\",\"max_tokens\":20,"
                        + "\"ignore_eos\":true}"))
            .build();
    try {
      client.send(request, HttpResponse.BodyHandlers.discarding());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Answers a path with a status and no body; a redirect leads to the same path. */
  void answer(String path, int status) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().set("Location", path);
            exchange.sendResponseHeaders(status, -1);
          }
        });
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static void answer(HttpExchange exchange, Map<String, String> answers)
      throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String body = answers.get(exchange.getRequestURI().getPath());
      if (body == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      boolean isStream = body.startsWith("data:");
      exchange
          .getResponseHeaders()
          .set("Content-Type", isStream ? "text/event-stream" : "text/plain; version=0.0.4");
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
