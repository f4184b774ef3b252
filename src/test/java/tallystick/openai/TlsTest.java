package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.SelfSigned;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** Streams over TLS, with an authority of the user's own. */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class TlsTest {
  @Parameter StreamThreads threads;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final byte[] BODY =
      "data: {\"choices\":[{\"index\":0,\"text\":\"a\"}]}\n\ndata: [DONE]\n\n"
          .getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  @Test
  void tlsIsAPhaseOfItsOwnAndNeedsTheUsersAuthority() throws Exception {
    SelfSigned certificate = SelfSigned.in(folder);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
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
      CompletionResult trusted = ask(server.getAddress().getPort(), certificate.pem().toString());
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

  private CompletionResult ask(int port, String caFile) throws Exception {
    CompletableFuture<CompletionResult> result = new CompletableFuture<>();
    try (CompletionClient client =
        new CompletionClient(
            new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", caFile, Map.of()), threads)) {
      String url = "https://127.0.0.1:" + port + "/v1/completions";
      client.start(
          new CompletionRequest(
              url, new byte[] {'{', '}'}, "id", "", System.nanoTime(), 0, 0, false),
          false,
          result::complete);
      return result.get(30, TimeUnit.SECONDS);
    }
  }
}
