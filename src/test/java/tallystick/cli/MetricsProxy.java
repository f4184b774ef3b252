package tallystick.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** An engine's exposition, altered on its way; an empty alteration is answered with 500. */
final class MetricsProxy implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private MetricsProxy(HttpServer server) {
    this.server = server;
  }

  static MetricsProxy of(String engineUrl, UnaryOperator<String> alteration) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    MetricsProxy proxy = new MetricsProxy(server);
    URI metrics = URI.create(engineUrl + "/metrics");
    server.createContext("/", exchange -> proxy.answer(exchange, metrics, alteration));
    server.setExecutor(proxy.threads);
    server.start();
    return proxy;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
  }

  /** Sum of all samples of a name. */
  static double sum(String exposition, String name) {
    return samples(name)
        .matcher(exposition)
        .results()
        .mapToDouble(sample -> Double.parseDouble(sample.group(2)))
        .sum();
  }

  /** The exposition with every sample of a name changed. */
  static String change(String exposition, String name, ToDoubleFunction<Double> change) {
    return samples(name)
        .matcher(exposition)
        .replaceAll(sample -> changed(sample, change).replace("$", "\\$"));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static String changed(MatchResult sample, ToDoubleFunction<Double> change) {
    return sample.group(1) + change.applyAsDouble(Double.parseDouble(sample.group(2)));
  }

  private static Pattern samples(String name) {
    return Pattern.compile(
        "^(" + Pattern.quote(name) + "(?:\\{[^}]*\\})? )(\\S+)$", Pattern.MULTILINE);
  }

  private void answer(HttpExchange exchange, URI metrics, UnaryOperator<String> alteration)
      throws IOException {
    try (exchange) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
      byte[] body = alteration.apply(answer.body()).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
      boolean isEmpty = body.length == 0;
      exchange.sendResponseHeaders(isEmpty ? 500 : 200, isEmpty ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
