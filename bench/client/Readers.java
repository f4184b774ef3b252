import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tallystick.openai.ClientOnExecutor;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.CompletionRequest;

/** Ways to read a stream, behind one door. */
interface Readers extends AutoCloseable {
  /** Told once for each stream: its id and when each token arrived. */
  interface Sink {
    void end(String id, long[] arrivals);
  }

  void start(String path, int tokens, Sink sink) throws IOException;

  @Override
  default void close() throws IOException {}

  /** Asks for chunks without a usage each. */
  String USAGE_OFF = "\"stream_options\":{\"continuous_usage_stats\":false},";

  /** bare, bare-virtual, selector, tally, tally-no-usage, tally-virtual. */
  static Readers of(String kind, int port) throws IOException {
    return switch (kind) {
      case "bare" -> new Bare(port, platform());
      case "bare-virtual" -> new Bare(port, Executors.newVirtualThreadPerTaskExecutor());
      case "selector" -> new SelectorReaders(port);
      case "tally" -> new Tally(port, new CompletionClient(settings()), "");
      case "tally-no-usage" -> new Tally(port, new CompletionClient(settings()), USAGE_OFF);
      case "tally-virtual" ->
          new Tally(
              port,
              ClientOnExecutor.open(settings(), Executors.newVirtualThreadPerTaskExecutor()),
              "");
      default -> throw new IllegalArgumentException("no such kind: " + kind);
    };
  }

  private static ClientSettings settings() {
    return new ClientSettings(5_000_000_000L, 120_000_000_000L, "", "", Map.of());
  }

  private static ExecutorService platform() {
    return Executors.newCachedThreadPool(
        task -> {
          Thread thread = new Thread(null, task, "reader", 256 * 1024);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** A socket and a line reader each; connections are kept for each path. */
  final class Bare implements Readers {
    private final int port;
    private final ExecutorService threads;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, ConcurrentLinkedQueue<BareConnection>> idle =
        new java.util.concurrent.ConcurrentHashMap<>();

    Bare(int port, ExecutorService threads) {
      this.port = port;
      this.threads = threads;
    }

    @Override
    public void start(String path, int tokens, Sink sink) {
      ConcurrentLinkedQueue<BareConnection> pool =
          idle.computeIfAbsent(path, key -> new ConcurrentLinkedQueue<>());
      threads.execute(
          () -> {
            try {
              BareConnection free = pool.poll();
              BareConnection connection = free == null ? new BareConnection(port, path) : free;
              String id = "bare-" + number.incrementAndGet();
              long[] moments = connection.play(id, tokens);
              pool.add(connection);
              sink.end(id, java.util.Arrays.copyOfRange(moments, 1, moments.length));
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
    }
  }

  /** The product's own read path. */
  final class Tally implements Readers {
    private final int port;
    private final CompletionClient client;
    private final String options;
    private final AtomicInteger number = new AtomicInteger();

    Tally(int port, CompletionClient client, String options) {
      this.port = port;
      this.client = client;
      this.options = options;
    }

    @Override
    public void start(String path, int tokens, Sink sink) {
      String id = "tally-" + number.incrementAndGet();
      String body =
          "{\"model\":\"paced\",\"prompt\":\"x\",\"stream\":true," + options + "\"max_tokens\":";
      byte[] bytes = (body + tokens + "}").getBytes(StandardCharsets.UTF_8);
      CompletionRequest call =
          new CompletionRequest(
              "http://127.0.0.1:" + port + path, bytes, id, "", System.nanoTime(), 0, 0, false);
      client.start(call, false, result -> sink.end(id, result.chunks().arrivalNanos()));
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
