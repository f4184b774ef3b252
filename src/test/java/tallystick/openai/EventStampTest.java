package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.SelfSigned;

/**
 * An event bears the moment of the socket's read that completed it. Client and server share one
 * clock here: a stamp before the write of an event's last byte would be of an earlier read.
 */
@ParameterizedClass
@EnumSource(StreamThreads.class)
class EventStampTest {
  @Parameter StreamThreads threads;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final String EVENT = "data: {\"choices\":[{\"index\":0,\"text\":\"a\"}]}\n\n";
  private static final int EVENTS = 12;

  @TempDir private static Path folder;

  private static SelfSigned certificate;

  @BeforeAll
  static void certify() throws Exception {
    certificate = SelfSigned.in(folder);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void noStampIsBeforeTheWriteOfTheEventsLastByte(boolean tls, boolean chunked) throws Exception {
    for (int cut = 1; cut < EVENT.length(); cut += 7) {
      // Each write completes one event and begins the next.
      List<String> writes = new ArrayList<>(List.of(EVENT.substring(0, cut)));
      for (int i = 1; i < EVENTS; i++) {
        writes.add(EVENT.substring(cut) + EVENT.substring(0, cut));
      }
      writes.add(EVENT.substring(cut) + CompletionClientTest.DONE);
      List<Long> written = new ArrayList<>();

      CompletionResult result = ask(tls, chunked, writes, written);

      long[] arrivals = result.chunks().arrivalNanos();
      assertThat(arrivals).hasSize(EVENTS).isSorted();
      for (int i = 0; i < EVENTS; i++) {
        assertThat(arrivals[i]).isGreaterThanOrEqualTo(written.get(i + 1));
      }
      assertThat(arrivals[EVENTS - 1]).isLessThanOrEqualTo(result.moments().ended());
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void eventsOfOneReadShareItsMoment(boolean tls, boolean chunked) throws Exception {
    String all = EVENT.repeat(EVENTS) + CompletionClientTest.DONE;

    CompletionResult result = ask(tls, chunked, List.of(all), new ArrayList<>());

    assertThat(Arrays.stream(result.chunks().arrivalNanos()).distinct().count()).isEqualTo(1);
    assertThat(result.chunks().coalesced()).isEqualTo(tls ? -1 : EVENTS - 1);
    assertThat(result.moments().firstByte())
        .isEqualTo(result.chunks().arrivalNanos()[0])
        .isGreaterThanOrEqualTo(result.moments().headers());
  }

  private CompletionResult ask(
      boolean tls, boolean chunked, List<String> writes, List<Long> written) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server =
        tls
            ? certificate.context().getServerSocketFactory().createServerSocket(0, 5, here)
            : new ServerSocket(0, 5, here)) {
      Thread thread = new Thread(() -> answer(server, chunked, writes, written), "stamp-server");
      thread.setDaemon(true);
      thread.start();
      CompletableFuture<CompletionResult> result = new CompletableFuture<>();
      String url = (tls ? "https" : "http") + "://127.0.0.1:" + server.getLocalPort() + "/v1/x";
      String authority = tls ? certificate.pem().toString() : "";
      try (CompletionClient client =
          new CompletionClient(
              new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", authority, Map.of()), threads)) {
        client.start(
            new CompletionRequest(
                url, new byte[] {'{', '}'}, "id", "", System.nanoTime(), 0, 0, false),
            false,
            result::complete);
        CompletionResult ended = result.get(30, TimeUnit.SECONDS);
        thread.join();
        return ended;
      }
    }
  }

  private static void answer(
      ServerSocket server, boolean chunked, List<String> writes, List<Long> written) {
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      byte[] request = new byte[4096];
      String head = "";
      while (!head.endsWith("{}")) {
        head += new String(request, 0, socket.getInputStream().read(request), "ISO-8859-1");
      }
      OutputStream out = socket.getOutputStream();
      String framing = chunked ? "Transfer-Encoding: chunked" : "Connection: close";
      write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + framing + "\r\n\r\n");
      for (String text : writes) {
        written.add(System.nanoTime());
        String size = Integer.toHexString(text.length());
        write(out, chunked ? size + "\r\n" + text + "\r\n" : text);
      }
      write(out, chunked ? "0\r\n\r\n" : "");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
