package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.SelfSigned;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;

class ScrapeOverTlsTest {

  @TempDir private Path folder;

  @Test
  void scrapesOverTlsOnlyWithTheUsersOwnAuthority() throws Exception {
    SelfSigned certificate = SelfSigned.in(folder);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
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
      assertThat(error("https://127.0.0.1" + port, ""))
          .contains("its certificate is not trusted here", "--ca-file");
      assertThat(error("https://127.0.0.1" + port, certificate.pem().toString())).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void namesAFileThatHoldsNoCertificate() throws Exception {
    Path file = Files.writeString(folder.resolve("ca.pem"), "words");
    assertThatThrownBy(() -> new EngineProbe(MetricsAccess.of(file.toString(), ApiAccess.NONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca.pem holds no usable certificates");
  }

  private static String error(String url, String caFile) throws InterruptedException {
    List<Target> targets = List.of(Target.at(url));
    MetricsAccess access = MetricsAccess.of(caFile, ApiAccess.NONE);
    try (Scraper scraper = new Scraper(targets, 1, RunClock.start(), row -> {}, access)) {
      return scraper.scrape(0).error();
    }
  }
}
