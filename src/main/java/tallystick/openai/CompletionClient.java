package tallystick.openai;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.net.Socket;
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
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import tallystick.openai.CountingSockets.CountingSocket;

/**
 * Streams completions over HTTP/1.1 and stamps every arrival. It never retries, follows no proxy
 * and no redirect. Threads: {@link #start} may be called from any; each stream is read by a thread
 * of its own, see docs/decisions/0002-platform-threads.md.
 */
public final class CompletionClient implements AutoCloseable {
  private static final MediaType JSON = MediaType.get("application/json");
  private static final int MAXIMUM_CONNECTIONS = 16_384;
  private static final long STACK_BYTES = 256 * 1024;

  /** vLLM closes idle connections after 5 s, and a POST on such a connection fails. */
  private static final Duration IDLE_KEEP_ALIVE = Duration.ofSeconds(4);

  private final ClientSettings settings;
  private final ExecutorService streams;
  private final StartGate gate = new StartGate();
  private final ScheduledThreadPoolExecutor deadlines;
  private final OkHttpClient http;
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
                MAXIMUM_CONNECTIONS, IDLE_KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS))
        .socketFactory(new CountingSockets(deadlines))
        // On a pooled connection this is the last step before the write.
        .addNetworkInterceptor(
            chain -> {
              chain.request().tag(StreamTiming.class).awaitStart();
              return chain.proceed(chain.request());
            })
        .eventListenerFactory(
            call -> new PhaseListener(call.request().tag(StreamTiming.class), trust.tls()))
        .retryOnConnectionFailure(false)
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
    private final Call running;
    private Optional<Exchange> following = Optional.empty();

    OpenStream(Exchange exchange) {
      CompletionCall call = exchange.call();
      timing =
          new StreamTiming(
              call,
              exchange.keepText(),
              gate,
              result -> following = exchange.sink().ended(result));
      open.add(timing);
      List<ScheduledFuture<?>> limits = watchDeadlines(call, timing);
      timing.onEnd(
          () -> {
            open.remove(timing);
            limits.forEach(limit -> limit.cancel(false));
          });
      running = http.newCall(request(call, timing));
      timing.begin(running);
    }

    void play() {
      try {
        timing.read(running.execute());
      } catch (IOException e) {
        timing.fail(e);
      } catch (RuntimeException e) {
        // Whatever a server brings about in the library, its request must have an end.
        running.cancel();
        timing.fail(new IOException(e.toString(), e));
      }
    }

    OpenStream next() {
      return following.map(OpenStream::new).orElse(null);
    }
  }

  /** Stamps the phases of a call that lie before its events. */
  private static final class PhaseListener extends EventListener {
    private final StreamTiming timing;
    private final CountedTls tls;

    PhaseListener(StreamTiming timing, CountedTls tls) {
      this.timing = timing;
      this.tls = tls;
    }

    @Override
    public void dnsStart(Call call, String domainName) {
      timing.awaitStart();
    }

    @Override
    public void connectStart(Call call, java.net.InetSocketAddress address, Proxy proxy) {
      timing.awaitStart();
      timing.connectStarted = System.nanoTime();
    }

    @Override
    public void secureConnectStart(Call call) {
      timing.tlsStarted = System.nanoTime();
    }

    @Override
    public void connectEnd(
        Call call, java.net.InetSocketAddress address, Proxy proxy, Protocol protocol) {
      timing.connected = System.nanoTime();
    }

    @Override
    public void connectionAcquired(Call call, Connection connection) {
      Socket socket = connection.socket();
      if (socket instanceof CountingSocket counting) {
        timing.readFrom(counting, true);
      } else {
        tls.beneath(socket).ifPresent(carrier -> timing.readFrom(carrier, false));
      }
    }

    @Override
    public void requestBodyEnd(Call call, long byteCount) {
      timing.written = System.nanoTime();
    }

    @Override
    public void responseHeadersEnd(Call call, Response response) {
      timing.headers = System.nanoTime();
    }

    @Override
    public void responseBodyStart(Call call) {
      timing.firstByte = System.nanoTime();
    }
  }
}
