package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.SelfSigned;
import tallystick.reach.ApiAccess;
import tallystick.run.TargetException.Fault;
import tallystick.scenario.Target;
import tallystick.scrape.MetricsAccess;

/** A target that cannot be asked is not loaded, and the sentence says what to do. */
class PreflightTest {
  @TempDir private Path folder;
  private final List<ServerSocket> sockets = new ArrayList<>();
  private HttpServer server;

  @AfterEach
  void stop() throws IOException {
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    if (server != null) {
      server.stop(0);
    }
  }

  @Test
  void stopsAtACertificateNobodyHereTrusts() throws Exception {
    SelfSigned certificate = SelfSigned.in(folder);
    String url = start(certificate);
    assertRefused(
        url, "", Fault.WORLD, "its certificate is not trusted here", "request.ca_file");
    assertThat(check(url, certificate.pem().toString()).model()).isEqualTo("tiny");
  }

  @Test
  void stopsAtACertificateThatHasExpired() throws Exception {
    SelfSigned certificate = SelfSigned.expired(folder);
    assertRefused(
        start(certificate), certificate.pem().toString(), Fault.WORLD,
        "its certificate has expired", "renew it");
  }

  @Test
  void stopsAtACertificateForAnotherName() throws Exception {
    SelfSigned certificate = SelfSigned.of(folder, "dns:elsewhere.example");
    assertRefused(
        start(certificate), certificate.pem().toString(), Fault.WORLD,
        "its certificate is for elsewhere.example, not for 127.0.0.1");
  }

  @Test
  void tellsPlainHttpOnTheWrongPort() throws Exception {
    String secure = start(SelfSigned.in(folder));
    assertRefused(
        secure.replace("https:", "http:"), "", Fault.WORLD, "the port speaks https, not http");
  }

  @Test
  void tellsHttpsOnAPlainPort() throws Exception {
    // So do uvicorn and nginx answer the first words of TLS.
    String plain = speaking("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    assertRefused(
        plain.replace("http:", "https:"), "", Fault.WORLD,
        "the port speaks plain http, not https");
  }

  @Test
  void stopsWhereTheAnswerIsNoHttp() throws Exception {
    assertRefused(speaking("SSH-2.0-x\r\n"), "", Fault.WORLD, "no HTTP answer");
    assertRefused(speaking(""), "", Fault.WORLD, "the connection ended before an answer");
  }

  /** As a server of HTTP/2 answers anything: with its settings, and where it must a farewell. */
  @Test
  void aPortOfHttpTwoAloneIsToldByThat() throws Exception {
    String url = speaking("\0\0\0\4\0\0\0\0\0");
    assertRefused(
        url, "", Fault.WORLD, "speaks HTTP/2 without TLS and no HTTP/1.1", "look at the server");
  }

  @Test
  void namesAFileOfAuthoritiesThatHoldsNone() throws Exception {
    Path file = Files.writeString(folder.resolve("ca.pem"), "words");
    assertRefused(
        "https://127.0.0.1:1", file.toString(), Fault.USER, "request.ca_file", "no usable cert");
  }

  @Test
  void aServerThatIsNotUpYetIsNoServerWithoutModels() throws Exception {
    String url = speaking("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
    assertRefused(url, "", Fault.WORLD, "answers HTTP 503 on /v1/models", "--model");
  }

  /** Else the whole load asks for a model of no name, and fails. */
  @Test
  void aServerThatRefusesOrRedirectsTheListIsNotSentALoad() throws Exception {
    String limited =
        speaking("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n");
    assertRefused(
        limited, "", Fault.WORLD, limited + " answers HTTP 429 on /v1/models",
        "wait until it takes requests again", "--model");
    assertThat(checkOf(limited, "chat").model()).isEqualTo("chat");
    assertRefused(
        redirecting("https://engine.example:9/new/v1/models?token=PLANTED"), "", Fault.WORLD,
        "redirects /v1/models to https://engine.example:9/new/v1/models (HTTP 307)",
        "give the target it redirects to, https://engine.example:9/new, or");
    assertRefused(
        redirecting("/login"), "", Fault.WORLD, "/login (HTTP 307)", "a page to sign in");
    assertRefused(
        redirecting("/v1/models/"), "", Fault.WORLD, "correct the route", "--model");
  }

  /** A router whose engines are not up lists none; a page to sign in is not a list at all. */
  @Test
  void aListWithoutAModelIsNotSentALoad() throws Exception {
    for (String body : List.of("{\"data\":[]}", "{\"data\":[{}]}", "<html>Sign in</html>", "")) {
      String url = speaking(ok(body));
      assertRefused(
          url, "", Fault.WORLD, url + " names no model on /v1/models", "--model");
      assertThat(checkOf(url, "chat").model()).as(body).isEqualTo("chat");
    }
  }

  private static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Test
  void aServerWithoutTheListIsAskedForAModelOfNoName() throws Exception {
    for (String status : List.of("404 Not Found", "405 Not Allowed", "501 Not Implemented")) {
      String url = speaking("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
      assertThat(check(url, "").model()).as(status).isEqualTo("default");
    }
  }

  private String redirecting(String location) throws IOException {
    return speaking(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + location
            + "\r\nContent-Length: 0\r\n\r\n");
  }

  /** An engine behind a gateway may call the model otherwise: it gets no request of ours. */
  @Test
  void whoGetsNoRequestIsNotAskedForTheModel() throws Exception {
    String url = speaking("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
    Preflight.Findings findings =
        new Preflight(new MetricsAccess("", ApiAccess.NONE, Map.of()))
            .check(List.of(new Target(url, "", 0)), "chat");
    assertThat(findings.model()).isEqualTo("chat");
    assertThat(findings.notes()).isEmpty();
  }

  @Test
  void whatAServerTellsOfItsArgumentsIsFoundAnywhereInItsAnswer() throws Exception {
    String told =
        "{\"vllm_config\": {\"scheduler_config\": {\"max_num_seqs\": 64, \"policy\": \"fcfs\"},"
            + " \"model_config\": {\"revision\": null, \"dtype\": \"bfloat16\"}}}";
    String url =
        speaking("HTTP/1.1 200 OK\r\nContent-Length: " + told.length() + "\r\n\r\n" + told);
    Preflight.Findings findings =
        new Preflight(new MetricsAccess("", ApiAccess.NONE, Map.of()))
            .check(List.of(new Target(url, "", 0)), "chat");
    assertThat(findings.arguments())
        .containsOnly(Map.entry("max_num_seqs", "64"), Map.entry("dtype", "bfloat16"));
  }

  private void assertRefused(String url, String caFile, Fault fault, String... words) {
    TargetException refusal =
        catchThrowableOfType(TargetException.class, () -> check(url, caFile));
    assertThat(refusal).isNotNull().hasMessageContainingAll(words);
    assertThat(refusal.fault()).isEqualTo(fault);
  }

  private static Preflight.Findings check(String url, String caFile) throws Exception {
    Target unscraped = new Target(url, "", 1);
    return new Preflight(new MetricsAccess(caFile, ApiAccess.NONE, Map.of()))
        .check(List.of(unscraped), "");
  }

  private static Preflight.Findings checkOf(String url, String model) throws Exception {
    return new Preflight(new MetricsAccess("", ApiAccess.NONE, Map.of()))
        .check(List.of(new Target(url, "", 1)), model);
  }

  private String start(SelfSigned certificate) throws Exception {
    HttpsServer secure = HttpsServer.create(loopback(), 0);
    secure.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
    return start(secure);
  }

  private String start(HttpServer started) throws IOException {
    server = started;
    byte[] models = "{\"data\":[{\"id\":\"tiny\"}]}".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/v1/models",
        exchange -> {
          exchange.sendResponseHeaders(200, models.length);
          exchange.getResponseBody().write(models);
          exchange.close();
        });
    server.start();
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A server that answers whatever it reads first with some words and goes. */
  private String speaking(String words) throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    sockets.add(socket);
    Thread.ofVirtual()
        .start(
            () -> {
              while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                  connection.getInputStream().read(new byte[4096]);
                  connection.getOutputStream().write(words.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  continue;
                }
              }
            });
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
