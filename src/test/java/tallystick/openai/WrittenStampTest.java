package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.SelfSigned;

/**
 * No server has a request before it is written. On a busy machine the server may have it, and may
 * even have answered, before the client's own write returns. Both share one clock here.
 */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class WrittenStampTest {
  @Parameter StreamThreads threads;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int REQUESTS = 150;
  private static final byte[] ANSWER =
      ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 14\r\n\r\n"
              + "data: [DONE]\n\n")
          .getBytes(StandardCharsets.UTF_8);

  @TempDir private static Path folder;

  private static SelfSigned certificate;

  @BeforeAll
  static void certify() throws Exception {
    certificate = SelfSigned.in(folder);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noServerHasARequestBeforeItIsWritten(boolean tls) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    AtomicBoolean isOver = new AtomicBoolean();
    Queue<Long> received = new ConcurrentLinkedQueue<>();
    try (ServerSocket server =
        tls
            ? certificate.context().getServerSocketFactory().createServerSocket(0, 5, here)
            : new ServerSocket(0, 5, here)) {
      daemon(() -> serve(server, received));
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        daemon(() -> keepBusy(isOver));
      }
      String url = (tls ? "https" : "http") + "://127.0.0.1:" + server.getLocalPort() + "/v1/x";
      for (CompletionResult.Moments moments : ask(url, tls ? certificate.pem().toString() : "")) {
        long arrived = received.remove();
        assertThat(moments.written()).isBetween(moments.started(), arrived);
      }
    } finally {
      isOver.set(true);
    }
  }

  private List<CompletionResult.Moments> ask(String url, String authority) throws Exception {
    List<CompletionResult.Moments> all = new ArrayList<>();
    try (CompletionClient client =
        new CompletionClient(
            new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", authority, Map.of()), threads)) {
      for (int i = 0; i < REQUESTS; i++) {
        CompletableFuture<CompletionResult> result = new CompletableFuture<>();
        client.start(
            new CompletionRequest(
                url, new byte[] {'{', '}'}, "id", "", System.nanoTime(), 0, 0, false),
            false,
            result::complete);
        all.add(result.get(30, TimeUnit.SECONDS).moments());
      }
    }
    return all;
  }

  private static void daemon(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private static void keepBusy(AtomicBoolean isOver) {
    while (!isOver.get()) {
      Thread.onSpinWait();
    }
  }

  private static void serve(ServerSocket server, Queue<Long> received) {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] piece = new byte[4096];
      String head = "";
      for (int size = in.read(piece); size > 0; size = in.read(piece)) {
        head += new String(piece, 0, size, StandardCharsets.ISO_8859_1);
        if (head.endsWith("{}")) {
          received.add(System.nanoTime());
          head = "";
          out.write(ANSWER);
          out.flush();
        }
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
