package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;

class TrustedAuthoritiesTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  @Test
  void scrapesOverTlsOnlyWithTheUsersOwnAuthority() throws Exception {
    KeyStore store = selfSigned();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(store)));
    server.createContext(
        "/metrics",
        exchange -> {
          // Larger than any buffer between the two, so that TLS has to go back and forth.
          LoopbackServer.answer(exchange, 200, "text/plain", "# words\n".repeat(200_000));
          exchange.close();
        });
    server.start();
    try {
      String port = ":" + server.getAddress().getPort();
      assertThat(error("https://127.0.0.1" + port, "")).contains("SSLHandshakeException");
      assertThat(error("https://127.0.0.1" + port, pem(store).toString())).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void namesAFileThatHoldsNoCertificate() throws Exception {
    Path file = Files.writeString(folder.resolve("ca.pem"), "words");
    assertThatThrownBy(() -> new EngineProbe(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca.pem holds no certificates");
  }

  private static String error(String url, String caFile) throws InterruptedException {
    List<Target> targets = List.of(Target.at(url));
    try (Scraper scraper = new Scraper(targets, 1, RunClock.start(), row -> {}, caFile)) {
      return scraper.scrape(0).error();
    }
  }

  private KeyStore selfSigned() throws Exception {
    Path file = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "engine", "-keyalg", "EC", "-dname", "CN=engine",
                "-ext", "san=ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12",
                "-storepass", new String(PASSWORD), "-keystore", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream stream = Files.newInputStream(file)) {
      store.load(stream, PASSWORD);
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
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8))
            .encodeToString(store.getCertificate("engine").getEncoded());
    return Files.writeString(
        folder.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
  }
}
