package tallystick.openai;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import tallystick.runrecord.RequestRow.Ending;

/**
 * Streams completions over HTTP/1.1 and stamps every arrival. It follows no proxy and no redirect
 * and repeats no request that was answered; one that found a dead connection goes out once more,
 * and its result says so. Threads: {@link #start} may be called from any; each stream is read by a
 * thread of its own, see docs/decisions/openai-platform-threads.md.
 */
public final class CompletionClient implements AutoCloseable {
  private static final MediaType JSON = MediaType.get("application/json");
  private static final int MAXIMUM_CONNECTIONS = 16_384;
  private static final long STACK_BYTES = 256 * 1024;

  /** What OkHttp is told instead of a status that it might act on. */
  private static final int PLAIN_FAILURE = 500;

  private final ClientSettings settings;
  private final ExecutorService streams;
  private final StartGate gate = new StartGate();
  private final ScheduledThreadPoolExecutor deadlines;
  private final OkHttpClient http;
  private final OkHttpClient fresh;
  private final Set<StreamTiming> open = ConcurrentHashMap.newKeySet();

  /** A client of its own connections and threads. */
  public CompletionClient(ClientSettings settings) {
    this(settings, streamThreads());
  }

  CompletionClient(ClientSettings settings, ExecutorService streams) {
    this.settings = settings;
    this.streams = streams;
    this.deadlines =
        new ScheduledThreadPoolExecutor(1, task -> daemon(new Thread(task, "deadlines")));
    this.deadlines.setRemoveOnCancelPolicy(true);
    this.http = build(settings);
    this.fresh =
        http.newBuilder().connectionPool(new ConnectionPool(0, 1, TimeUnit.NANOSECONDS)).build();
  }

  /**
   * Has one request sent at its moment. Called a few milliseconds before, everything up to the
   * socket is ready by then: {@link CompletionResult.Moments#started} is when it was let go.
   * The result is handed to
   * {@code sink} once, on the stream's own thread.
   *
   * @param keepText whether the result holds what the model said
   */
  public void start(CompletionCall call, boolean keepText, Consumer<CompletionResult> sink) {
    start(Exchange.alone(call, keepText, sink));
  }

  /** The same for a request whose sink may name the one that its thread sends next. */
  public void start(Exchange exchange) {
    OpenStream first = new OpenStream(exchange);
    try {
      streams.execute(
          () -> {
            for (OpenStream stream = first; stream != null; stream = stream.next()) {
              stream.play();
            }
          });
    } catch (RejectedExecutionException e) {
      first.timing.fail(new InterruptedIOException("the client is closed"));
    }
  }

  private Request request(CompletionCall call, StreamTiming timing) {
    Request.Builder builder =
        new Request.Builder()
            .url(call.url())
            .post(RequestBody.create(call.body(), JSON))
            .header("Accept", "text/event-stream")
            .header("Accept-Encoding", "identity")
            .header("X-Request-Id", call.requestId());
    if (!call.traceparent().isEmpty()) {
      builder.header("traceparent", call.traceparent());
    }
    if (!settings.apiKey().isEmpty()) {
      builder.header("Authorization", "Bearer " + settings.apiKey());
    }
    settings.headers().forEach(builder::header);
    return builder.tag(StreamTiming.class, timing).build();
  }

  /** Leaves every open stream; their results come as {@code CLIENT_CANCELLED}. */
  public void cancelAll() {
    open.forEach(StreamTiming::cancel);
  }

  /**
   * Closes connections that no stream uses. Before a window: what lay idle meanwhile may be closed
   * by the server at any moment, and a request on it would fail for no fault of the engine.
   */
  public void dropIdleConnections() {
    http.connectionPool().evictAll();
  }

  @Override
  public void close() {
    cancelAll();
    deadlines.shutdownNow();
    streams.shutdown();
    http.connectionPool().evictAll();
  }

  private List<ScheduledFuture<?>> watchDeadlines(CompletionCall call, StreamTiming timing) {
    // OkHttp's own limits are off, see build.
    long ahead = Math.max(0, call.startNanoTime() - System.nanoTime());
    ScheduledFuture<?> limit =
        watch(timing, ahead, settings.requestTimeoutNanos(), timing::timeOut);
    return call.cancelAfterNanos() == 0
        ? List.of(limit)
        : List.of(limit, watch(timing, ahead, call.cancelAfterNanos(), timing::cancel));
  }

  /** Acts so long after the actual start, which may come later than it was wanted. */
  private ScheduledFuture<?> watch(
      StreamTiming timing, long aheadNanos, long afterStartNanos, Runnable action) {
    return deadlines.schedule(
        () -> {
          long left = timing.nanosUntil(afterStartNanos);
          if (left > 0) {
            deadlines.schedule(action, left, TimeUnit.NANOSECONDS);
          } else {
            action.run();
          }
        },
        aheadNanos + afterStartNanos,
        TimeUnit.NANOSECONDS);
  }

  private OkHttpClient build(ClientSettings settings) {
    Certificates.Trust trust = Certificates.trust(settings.caFile());
    Dispatcher dispatcher = new Dispatcher(streams);
    dispatcher.setMaxRequests(MAXIMUM_CONNECTIONS);
    dispatcher.setMaxRequestsPerHost(MAXIMUM_CONNECTIONS);
    return new OkHttpClient.Builder()
        .sslSocketFactory(trust.tls(), trust.authorities())
        .dispatcher(dispatcher)
        .protocols(List.of(Protocol.HTTP_1_1))
        .connectionPool(
            new ConnectionPool(
                MAXIMUM_CONNECTIONS, KeepAlive.MOST_NANOS, TimeUnit.NANOSECONDS))
        .socketFactory(new CountingSockets(deadlines))
        .addNetworkInterceptor(CompletionClient::exchange)
        .eventListenerFactory(
            call -> new PhaseListener(call.request().tag(StreamTiming.class), trust.tls()))
        .retryOnConnectionFailure(false)
        // Racing addresses makes a thread for each connection; hundreds that open together wait.
        .fastFallback(false)
        .followRedirects(false)
        .followSslRedirects(false)
        .proxy(Proxy.NO_PROXY)
        .connectTimeout(Duration.ofNanos(settings.connectTimeoutNanos()))
        // watchDeadlines ends what takes too long. A timeout here would put every read into and
        // out of one watchdog's queue that all streams share.
        .readTimeout(Duration.ZERO)
        .writeTimeout(Duration.ZERO)
        .callTimeout(Duration.ZERO)
        .build();
  }

  /**
   * The step next to the socket: on a pooled connection the last before the write. OkHttp repeats a
   * 503 whose {@code Retry-After} is 0 and takes a 407 for a fault of its own, whatever it is set
   * to; so it sees one plain failure, and the answer itself goes past it.
   */
  private static Response exchange(Interceptor.Chain chain) throws IOException {
    StreamTiming timing = chain.request().tag(StreamTiming.class);
    timing.awaitStart();
    Response answer = chain.proceed(chain.request());
    try {
      timing.takeHead(answer);
    } catch (IOException e) {
      answer.close();
      throw e;
    }
    return answer.isSuccessful() ? answer : answer.newBuilder().code(PLAIN_FAILURE).build();
  }

  /** A refusal may repeat the key that it refuses; the record must not hold it. */
  private CompletionResult withoutKey(CompletionResult result) {
    Ending ending = result.ending();
    String key = settings.apiKey();
    if (key.isEmpty() || !ending.detail().contains(key)) {
      return result;
    }
    return new CompletionResult(
        result.moments(),
        result.chunks(),
        result.usage(),
        new Ending(
            ending.outcome(),
            ending.status(),
            ending.finishReason(),
            ending.detail().replace(key, "(the key)"),
            ending.oddities()),
        result.engine(),
        result.text());
  }

  private static ThreadPoolExecutor streamThreads() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        60,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task ->
            daemon(new Thread(null, task, "stream-" + number.incrementAndGet(), STACK_BYTES)));
  }

  private static Thread daemon(Thread thread) {
    thread.setDaemon(true);
    return thread;
  }

  /** One request from here to its end, and what its sink wants sent after it. */
  private final class OpenStream {
    private final StreamTiming timing;
    private final Request request;
    private Call running;
    private Optional<Exchange> following = Optional.empty();

    OpenStream(Exchange exchange) {
      CompletionCall call = exchange.call();
      timing =
          new StreamTiming(
              call,
              exchange.keepText(),
              gate,
              result -> following = exchange.sink().ended(withoutKey(result)));
      open.add(timing);
      List<ScheduledFuture<?>> limits = watchDeadlines(call, timing);
      timing.onEnd(
          () -> {
            open.remove(timing);
            limits.forEach(limit -> limit.cancel(false));
          });
      request = request(call, timing);
      begin(http);
    }

    private void begin(OkHttpClient client) {
      running = client.newCall(request);
      timing.begin(running);
    }

    void play() {
      try {
        execute();
        timing.read();
      } catch (IOException e) {
        timing.fail(e);
      } catch (RuntimeException e) {
        // Whatever a server brings about in the library, its request must have an end.
        running.cancel();
        timing.fail(new IOException(e.toString(), e));
      }
    }

    private void execute() throws IOException {
      try {
        running.execute();
      } catch (IOException e) {
        if (!timing.resends(e)) {
          throw e;
        }
        begin(fresh);
        if (timing.isLeft()) {
          // Whoever left meanwhile has ended the call before this one.
          throw e;
        }
        running.execute();
      }
    }

    OpenStream next() {
      return following.map(OpenStream::new).orElse(null);
    }
  }
}
