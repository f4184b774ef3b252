package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.openai.CompletionClientTest.DONE;
import static tallystick.openai.CompletionClientTest.LONG_NANOS;
import static tallystick.openai.CompletionClientTest.ask;
import static tallystick.openai.CompletionClientTest.settings;
import static tallystick.openai.CompletionClientTest.tokens;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.SelfSigned;
import tallystick.openai.KeptServer.Turn;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow.Oddity;

/** Connections that are used again, and servers that close them meanwhile. */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class IdleConnectionTest {
  @Parameter StreamThreads threads;

  @TempDir private Path folder;

  @Test
  void usesAConnectionAgain() throws Exception {
    try (KeptServer server = new KeptServer(request -> Turn.answer(body(), ""));
        CompletionClient client = client()) {
      CompletionResult first = ask(client, server.url(), System.nanoTime(), 0);
      CompletionResult second = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(first.moments().connectStarted()).isPositive();
      assertThat(second.moments().connectStarted()).isZero();
      assertThat(second.ending().oddities()).isEmpty();
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void sendsOnceMoreAndSaysSoWhereAReusedConnectionDiesUnanswered() throws Exception {
    try (KeptServer server =
            new KeptServer(
                request -> request.number() == 1 ? Turn.hangUp() : Turn.answer(body(), ""));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      long wanted = System.nanoTime();
      CompletionResult second = ask(client, server.url(), wanted, 0);

      assertThat(second.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(second.ending().oddities()).containsExactly(Oddity.RESENT);
      assertThat(second.moments().started()).isGreaterThanOrEqualTo(wanted);
      assertThat(second.moments().connectStarted())
          .isGreaterThanOrEqualTo(second.moments().started());
      assertThat(second.moments().written()).isGreaterThan(second.moments().connected());
      assertThat(server.requests()).isEqualTo(3);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerMayCloseWhatItHasAnswered(boolean tls) throws Exception {
    SelfSigned certificate = SelfSigned.in(folder);
    InetAddress here = InetAddress.getLoopbackAddress();
    ServerSocket socket =
        tls
            ? certificate.context().getServerSocketFactory().createServerSocket(0, 9, here)
            : new ServerSocket(0, 9, here);
    String authority = tls ? certificate.pem().toString() : "";
    try (KeptServer server =
            new KeptServer(socket, request -> Turn.answer(body(), "").thenHangUp());
        CompletionClient client =
            new CompletionClient(
                new ClientSettings(LONG_NANOS, LONG_NANOS, "", authority, Map.of()), threads)) {
      String url = (tls ? "https" : "http") + "://127.0.0.1:" + server.port();
      for (int i = 0; i < 20; i++) {
        CompletionResult result = ask(client, url, System.nanoTime(), 0);
        assertThat(result.ending().outcome()).as(result.ending().detail()).isEqualTo(Outcome.OK);
      }
    }
  }

  @Test
  void sendsNoMoreThanOnceMore() throws Exception {
    try (KeptServer server =
            new KeptServer(
                request -> request.number() > 0 ? Turn.hangUp() : Turn.answer(body(), ""));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      CompletionResult second = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(second.ending().outcome()).isEqualTo(Outcome.NO_ANSWER);
      assertThat(second.ending().oddities()).containsExactly(Oddity.RESENT);
      assertThat(server.requests()).isEqualTo(3);
    }
  }

  @Test
  void aFreshConnectionThatDiesUnansweredIsTheServersOwn() throws Exception {
    try (KeptServer server = new KeptServer(request -> Turn.hangUp());
        CompletionClient client = client()) {
      CompletionResult result = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(result.ending().outcome()).isEqualTo(Outcome.NO_ANSWER);
      assertThat(result.ending().oddities()).isEmpty();
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  @Test
  void oneByteOfAnAnswerIsAnAnswer() throws Exception {
    try (KeptServer server =
            new KeptServer(
                request ->
                    request.number() == 1 ? Turn.bytesThenHangUp("H") : Turn.answer(body(), ""));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      CompletionResult second = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(second.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
      assertThat(server.requests()).isEqualTo(2);
    }
  }

  @Test
  void takesNoAnswerThatLayThereBeforeTheRequest() throws Exception {
    String stray = "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n";
    try (KeptServer server =
            new KeptServer(
                request -> Turn.answer(body(), request.number() == 0 ? stray : ""));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      CompletionResult second = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(second.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(second.ending().oddities()).containsExactly(Oddity.RESENT);
    }
  }

  @Test
  void takesNoConnectionThatIsOlderThanTheServerKeepsIt() throws Exception {
    try (KeptServer server =
            new KeptServer(request -> Turn.answer(body(), "").keptFor("timeout=0, max=100"));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      CompletionResult second = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(second.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(second.ending().oddities()).isEmpty();
      assertThat(second.moments().connectStarted()).isPositive();
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void learnsFromAConnectionThatDiedHowLongToKeepTheNext() throws Exception {
    long idle = TimeUnit.MILLISECONDS.toNanos(300);
    try (KeptServer server =
            new KeptServer(
                request -> request.number() == 1 ? Turn.hangUp() : Turn.answer(body(), ""));
        CompletionClient client = client()) {
      ask(client, server.url(), System.nanoTime(), 0);
      long answered = System.nanoTime();
      restUntil(answered + idle);
      ask(client, server.url(), System.nanoTime(), 0);
      // A busy machine may have made the first rest longer than it was meant to be.
      long learned = System.nanoTime() - answered;
      ask(client, server.url(), System.nanoTime(), 0);
      int before = server.connections();
      restUntil(System.nanoTime() + learned);
      CompletionResult later = ask(client, server.url(), System.nanoTime(), 0);

      assertThat(later.moments().connectStarted()).isPositive();
      assertThat(server.connections()).isEqualTo(before + 1);
    }
  }

  private static void restUntil(long nanoTime) {
    for (long left = 1; left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private CompletionClient client() {
    return new CompletionClient(settings(LONG_NANOS), threads);
  }

  private static String body() {
    return tokens(2) + DONE;
  }
}
