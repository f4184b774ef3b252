import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/**
 * Serves expositions in turns, another one each second, as a busy engine's changes.
 *
 * <pre>java bench/scrape-cost/TurnsServer.java PORT FILE...</pre>
 */
final class TurnsServer {
  private static final long SECOND = 1_000_000_000L;

  private TurnsServer() {}

  public static void main(String[] arguments) throws IOException {
    byte[][] bodies = new byte[arguments.length - 1][];
    for (int i = 0; i < bodies.length; i++) {
      bodies[i] = Files.readAllBytes(Path.of(arguments[i + 1]));
    }
    int port = Integer.parseInt(arguments[0]);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = bodies[(int) (System.nanoTime() / SECOND % bodies.length)];
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println("expositions on " + port);
  }
}
