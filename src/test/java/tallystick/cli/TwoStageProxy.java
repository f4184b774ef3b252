package tallystick.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The router of disaggregated serving on loopback: each request goes to the prefill engine for one
 * token, then whole to the decode engine, whose answer goes to the client.
 */
final class TwoStageProxy implements AutoCloseable {
  private static final int BUFFER = 16_384;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer door;
  private final String prefill;
  private final String decode;

  private TwoStageProxy(HttpServer door, String prefill, String decode) {
    this.door = door;
    this.prefill = prefill;
    this.decode = decode;
  }

  static TwoStageProxy before(String prefill, String decode) throws IOException {
    HttpServer door =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    TwoStageProxy proxy = new TwoStageProxy(door, prefill, decode);
    door.createContext("/", proxy::pass);
    door.setExecutor(proxy.threads);
    door.start();
    return proxy;
  }

  String url() {
    return "http://127.0.0.1:" + door.getAddress().getPort();
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
      String path = exchange.getRequestURI().toString();
      if (body.length > 0) {
        ask(prefill + path, oneToken(body)).body().readAllBytes();
      }
      HttpResponse<InputStream> answer = ask(decode + path, body);
      String type = answer.headers().firstValue("Content-Type").orElse("text/plain");
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(answer.statusCode(), 0);
      carry(answer, exchange.getResponseBody());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<InputStream> ask(String url, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (body.length > 0) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private static byte[] oneToken(byte[] body) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode request = (ObjectNode) json.readTree(body);
    request.remove("stream_options");
    request.remove("min_tokens");
    return json.writeValueAsBytes(request.put("stream", false).put("max_tokens", 1));
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
