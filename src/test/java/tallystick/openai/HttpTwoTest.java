package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.DONE;
import static tallystick.openai.CompletionClientTest.LONG_NANOS;
import static tallystick.openai.CompletionClientTest.ask;
import static tallystick.openai.CompletionClientTest.tokens;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.SelfSigned;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.Outcome;

/** HTTP/2 is spoken where it is offered by both sides, and what was spoken is said. */
class HttpTwoTest {
  private final Vertx vertx = Vertx.vertx();
  private String authority;

  @TempDir private Path folder;

  @BeforeEach
  void certify() throws Exception {
    authority = SelfSigned.in(folder).pem().toString();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void isSpokenWhereBothSidesOfferIt() throws Exception {
    try (CompletionClient client = client(true)) {
      String url = url(true);
      CompletionResult first = ask(client, url, System.nanoTime(), 0);
      CompletionResult second = ask(client, url, System.nanoTime(), 0);

      assertThat(first.ending().outcome()).as(first.ending().detail()).isEqualTo(Outcome.OK);
      assertThat(first.protocol()).isEqualTo("h2");
      assertThat(first.chunks().size()).isEqualTo(3);
      assertThat(first.usage().completionTokens()).isEqualTo(3);
      CompletionResult.Moments moments = first.moments();
      assertThat(moments.written()).isBetween(moments.started(), moments.firstByte());
      assertThat(first.chunks().arrivalNanos()[0])
          .isBetween(moments.written(), moments.ended());
      assertThat(second.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(second.moments().connectStarted()).as("the same connection").isZero();
    }
  }

  @Test
  void isNotSpokenUnlessItIsOfferedByBothSides() throws Exception {
    for (boolean isClient : new boolean[] {false, true}) {
      try (CompletionClient client = client(isClient)) {
        CompletionResult result = ask(client, url(!isClient), System.nanoTime(), 0);
        assertThat(result.ending().outcome()).isEqualTo(Outcome.OK);
        assertThat(result.protocol()).isEqualTo("http/1.1");
      }
    }
  }

  private CompletionClient client(boolean http2) {
    return new CompletionClient(
        new ClientSettings(
            LONG_NANOS, LONG_NANOS, ApiAccess.NONE, authority, Map.of(), http2));
  }

  private String url(boolean http2) throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(http2)
                    .setKeyCertOptions(
                        new PfxOptions()
                            .setPath(folder.resolve("store.p12").toString())
                            .setPassword("changeit")))
            .requestHandler(
                request ->
                    request.body().onSuccess(
                        body ->
                            request
                                .response()
                                .putHeader("content-type", "text/event-stream")
                                .end(tokens(3) + DONE)))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    return "https://127.0.0.1:" + server.actualPort();
  }
}
