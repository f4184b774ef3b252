package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** Streams over TLS, with an authority of the user's own. */
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final byte[] BODY =
      "data: {\"choices\":[{\"index\":0,\"text\":\"a\"}]}\n\ndata: [DONE]\n\n"
          .getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  @Test
  void tlsIsAPhaseOfItsOwnAndNeedsTheUsersAuthority() throws Exception {
    KeyStore store = selfSigned();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(store)));
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
          exchange.sendResponseHeaders(200, BODY.length);
          exchange.getResponseBody().write(BODY);
          exchange.close();
        });
    server.start();
    try {
      CompletionResult trusted = ask(server.getAddress().getPort(), pem(store).toString());
      CompletionResult stranger = ask(server.getAddress().getPort(), "");

      assertThat(trusted.ending().outcome()).isEqualTo(Outcome.OK);
      CompletionResult.Moments moments = trusted.moments();
      assertThat(List.of(moments.connectStarted(), moments.tlsStarted(), moments.connected()))
          .isSorted()
          .allMatch(nanos -> nanos != 0);
      // Beneath TLS nobody can tell which events came in one read.
      assertThat(trusted.chunks().coalesced()).isEqualTo(RequestRow.UNKNOWN);
      assertThat(trusted.chunks().longestReadLagNanos()).isPositive();
      assertThat(stranger.ending().outcome()).isEqualTo(Outcome.REFUSED);
      assertThat(stranger.ending().detail()).contains("certif");
    } finally {
      server.stop(0);
    }
  }

  private static CompletionResult ask(int port, String caFile) throws Exception {
    CompletableFuture<CompletionResult> result = new CompletableFuture<>();
    try (CompletionClient client =
        new CompletionClient(
            new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", caFile, Map.of()))) {
      String url = "https://127.0.0.1:" + port + "/v1/completions";
      client.start(
          new CompletionCall(
              url, new byte[] {'{', '}'}, "id", "", System.nanoTime(), 0, 0),
          false,
          result::complete);
      return result.get(30, TimeUnit.SECONDS);
    }
  }

  private KeyStore selfSigned() throws Exception {
    Path file = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=server",
                "-ext", "san=ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12",
                "-storepass", new String(PASSWORD), "-keystore", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static SSLContext context(KeyStore store) throws Exception {
    KeyManagerFactory keys =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private Path pem(KeyStore store) throws Exception {
    String body =
        Base64.getMimeEncoder().encodeToString(store.getCertificate("server").getEncoded());
    return Files.writeString(
        folder.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
  }
}
