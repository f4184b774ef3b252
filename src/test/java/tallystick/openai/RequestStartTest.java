package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.DONE;
import static tallystick.openai.CompletionClientTest.ask;
import static tallystick.openai.CompletionClientTest.call;
import static tallystick.openai.CompletionClientTest.settings;
import static tallystick.openai.CompletionClientTest.tokens;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.runrecord.Outcome;

/** A request that is handed over ahead of its time, and what counts from its actual start. */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class RequestStartTest {
  @Parameter StreamThreads threads;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  @Test
  void neitherConnectsNorWritesBeforeItsMoment() throws Exception {
    try (ScriptedServer server = new ScriptedServer(answer());
        CompletionClient client = new CompletionClient(settings(LIMIT_NANOS), threads)) {
      long moment = System.nanoTime() + AHEAD_NANOS;

      CompletionResult.Moments moments = ask(client, server.url(), moment, 0).moments();

      assertThat(moments.started()).isGreaterThanOrEqualTo(moment);
      assertThat(moments.connectStarted()).isGreaterThanOrEqualTo(moments.started());
      assertThat(moments.written()).isGreaterThanOrEqualTo(moments.started());
    }
  }

  @Test
  void whatIsLeftBeforeItsMomentHasBegunAtItsMoment() throws Exception {
    // It never answers: a test that is held up beyond the moment leaves all the same.
    try (ScriptedServer server =
            new ScriptedServer(
                (out, socket) -> new CountDownLatch(1).await(20, TimeUnit.SECONDS));
        CompletionClient client = new CompletionClient(settings(LIMIT_NANOS), threads)) {
      long moment = System.nanoTime() + AHEAD_NANOS;
      CompletableFuture<CompletionResult> result = new CompletableFuture<>();
      client.start(call(server.url(), moment, 0), false, result::complete);

      client.cancelAll();

      assertThat(result.get(30, TimeUnit.SECONDS).ending().outcome())
          .isEqualTo(Outcome.CLIENT_CANCELLED);
      assertThat(result.get().moments().started()).isGreaterThanOrEqualTo(moment);
    }
  }

  @Test
  void leavesNoSoonerThanThePlannedTimeAfterItsStart() throws Exception {
    long patience = TimeUnit.MILLISECONDS.toNanos(60);
    try (ScriptedServer server =
            new ScriptedServer(
                (out, socket) -> {
                  ScriptedServer.stream(tokens(2)).play(out, socket);
                  out.flush();
                  new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                });
        CompletionClient client = new CompletionClient(settings(LIMIT_NANOS), threads)) {
      CompletableFuture<CompletionResult> result = new CompletableFuture<>();
      // A start that was wanted before it is possible is a late one.
      long wanted = System.nanoTime() - patience / 2;
      client.start(
          new CompletionRequest(
              server.url() + "/v1/completions", new byte[] {'{', '}'}, "id-1", "", wanted,
              patience, 0, false),
          false,
          result::complete);

      CompletionResult left = result.get(30, TimeUnit.SECONDS);
      assertThat(left.ending().outcome()).isEqualTo(Outcome.CLIENT_CANCELLED);
      assertThat(left.moments().ended() - left.moments().started())
          .isGreaterThanOrEqualTo(patience);
    }
  }

  private static ScriptedServer.Script answer() {
    return ScriptedServer.stream(tokens(1) + DONE);
  }
}
