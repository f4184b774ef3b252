import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tallystick.simengine.BareStreams;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * How many SSE events a second the embedded engine sends, beside a bare server of the same library,
 * and how late an event is. See bench/engine-http/README.md.
 */
public final class EngineHttpBench {
  private static final int STREAMS = 256;
  private static final int TOKENS = 1000;
  private static final String EVENT =
      "data: {\"id\":\"cmpl-aff95fb7e8169660\",\"object\":\"text_completion\","
          + "\"created\":1795219648,\"model\":\"tiny\",\"choices\":[{\"index\":0,"
          + "\"text\":\" fese\",\"logprobs\":null,\"finish_reason\":null,\"stop_reason\":null,"
          + "\"prompt_token_ids\":null,\"token_ids\":null}]}\n\n";

  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 3; round++) {
      double bare = bareEventsPerSecond();
      System.out.printf("bare server: %.0f events/s%n", bare);
      for (double stepMicros : new double[] {0, 500, 1000, 2000, 4000}) {
        double events = engineEventsPerSecond(stepMicros);
        System.out.printf(
            "engine, steps of %.0f us: %.0f events/s, %.2f of bare%n",
            stepMicros, events, events / bare);
      }
    }
  }

  private static double engineEventsPerSecond(double stepMicros) throws Exception {
    EngineSettings settings = BareStreams.engine(stepMicros * 1000);
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      load(engine.url(), TOKENS / 10);
      return load(engine.url(), TOKENS);
    }
  }

  private static double bareEventsPerSecond() throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    int port =
        vertx
            .createHttpServer(new HttpServerOptions().setTcpNoDelay(true).setHost("127.0.0.1").setPort(0))
            .requestHandler(
                request ->
                    request.body().onSuccess(
                        body -> {
                          request.response().setChunked(true);
                          pump(vertx, request.response(), new int[] {TOKENS});
                        }))
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS)
            .actualPort();
    try {
      return load("http://127.0.0.1:" + port, TOKENS);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  private static void pump(Vertx vertx, HttpServerResponse response, int[] left) {
    if (left[0] == 0) {
      response.end("data: [DONE]\n\n");
    } else if (response.writeQueueFull()) {
      response.drainHandler(drained -> pump(vertx, response, left));
    } else {
      left[0]--;
      response.write(EVENT);
      vertx.runOnContext(next -> pump(vertx, response, left));
    }
  }

  /** Events a second over all streams; a chunk that carries several tokens counts once. */
  private static double load(String url, int tokens) throws Exception {
    Selector selector = Selector.open();
    List<SocketChannel> channels = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      channels.add(BareStreams.connect(url, selector, new byte[5]));
    }
    long begin = System.nanoTime();
    for (SocketChannel channel : channels) {
      channel.write(BareStreams.request(tokens));
    }
    long events = read(selector);
    double seconds = (System.nanoTime() - begin) / 1e9;
    for (SocketChannel channel : channels) {
      channel.close();
    }
    double tokensPerEvent = (double) STREAMS * tokens / events;
    System.out.printf(
        "  %d events in %.2f s, %.2f tokens each%n", events, seconds, tokensPerEvent);
    return events / seconds;
  }

  private static long read(Selector selector) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);
    byte[] bytes = new byte[1 << 18];
    byte[] done = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    long events = 0;
    int open = STREAMS;
    while (open > 0) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        buffer.clear();
        int count = ((SocketChannel) key.channel()).read(buffer);
        buffer.flip();
        buffer.get(bytes, 0, Math.max(0, count));
        for (int i = 0; i + 1 < count; i++) {
          events += bytes[i] == '\n' && bytes[i + 1] == '\n' ? 1 : 0;
        }
        boolean isEnd =
            count < 0
                || (count >= 5 && Arrays.equals(Arrays.copyOfRange(bytes, count - 5, count), done));
        if (isEnd) {
          key.cancel();
          open--;
        }
      }
      selector.selectedKeys().clear();
    }
    return events;
  }
}
