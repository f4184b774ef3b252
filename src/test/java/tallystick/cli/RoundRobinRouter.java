package tallystick.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A router on loopback before engines that may come and go: each request goes to the next one. */
final class RoundRobinRouter implements AutoCloseable {
  private static final int BUFFER = 16_384;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> engines = new CopyOnWriteArrayList<>();
  private final AtomicInteger turns = new AtomicInteger();
  private final HttpServer door;

  private RoundRobinRouter(HttpServer door) {
    this.door = door;
  }

  static RoundRobinRouter before(String... engines) throws IOException {
    HttpServer door =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    RoundRobinRouter router = new RoundRobinRouter(door);
    router.engines.addAll(List.of(engines));
    door.createContext("/", router::pass);
    door.setExecutor(router.threads);
    door.start();
    return router;
  }

  String url() {
    return "http://127.0.0.1:" + door.getAddress().getPort();
  }

  void add(String engine) {
    engines.add(engine);
  }

  void remove(String engine) {
    engines.remove(engine);
  }

  @Override
  public void close() {
    door.stop(0);
    threads.shutdownNow();
    http.close();
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String engine = engines.get(Math.floorMod(turns.getAndIncrement(), engines.size()));
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(engine + exchange.getRequestURI()));
      if (body.length > 0) {
        request
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      }
      HttpResponse<InputStream> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      String type = answer.headers().firstValue("Content-Type").orElse("text/plain");
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(answer.statusCode(), 0);
      carry(answer, exchange.getResponseBody());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void carry(HttpResponse<InputStream> answer, OutputStream out)
      throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = answer.body()) {
      for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
        out.write(buffer, 0, size);
        out.flush();
      }
    }
  }
}
