package tallystick.openai;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.X509TrustManager;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import tallystick.openai.StreamEnding.Leaving;
import tallystick.reach.ConnectionFault;
import tallystick.reach.Redaction;
import tallystick.reach.TrustedAuthorities;

/**
 * Takes completions over HTTP/1.1, or HTTP/2 where it is offered and chosen, with one request at a
 * time on a connection: as streams, of which it stamps every arrival, or whole. It follows no proxy
 * and no redirect and repeats no request that was answered; one that found a dead connection goes
 * out once more, and its result says so. Threads: {@link #start} may be called from any; each
 * stream is read by a thread of its own, see docs/decisions/openai-stream-threads.md.
 */
public final class CompletionClient implements AutoCloseable {
  private static final MediaType JSON = MediaType.get("application/json");
  private static final int MAXIMUM_CONNECTIONS = 16_384;

  /** What OkHttp is told instead of a status that it might act on. */
  private static final int PLAIN_FAILURE = 500;

  private final ClientSettings settings;
  private final Redaction redaction;
  private final ExecutorService streams;
  private final StartGate gate = new StartGate();
  private final CountedTls tls;
  private final ScheduledThreadPoolExecutor deadlines;
  private final ConnectionPoolShards places;
  private final OkHttpClient fresh;
  private final Map<String, HttpUrl> urls = new ConcurrentHashMap<>();
  private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();

  /** A client of its own connections, for a few hundred streams. */
  public CompletionClient(ClientSettings settings) {
    this(settings, StreamThreads.PLATFORM);
  }

  /** A client of its own connections and threads. */
  public CompletionClient(ClientSettings settings, StreamThreads threads) {
    this(settings, threads.start(), threads.names());
  }

  CompletionClient(ClientSettings settings, ExecutorService streams, Dns names) {
    this.settings = settings;
    this.redaction = settings.api().redaction();
    this.streams = streams;
    this.deadlines =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("deadlines").factory());
    this.deadlines.setRemoveOnCancelPolicy(true);
    TrustedAuthorities trusted = TrustedAuthorities.with(settings.caFile());
    this.tls = new CountedTls(trusted.tls());
    OkHttpClient http = build(trusted.manager(), names);
    this.places = new ConnectionPoolShards(() -> pooled(http, 1, IdleLimits.MOST_NANOS));
    this.fresh = pooled(http, 0, 1);
  }

  /**
   * Has one request sent at its moment. Called a few milliseconds before, everything up to the
   * socket is ready by then: {@link CompletionResult.Moments#started} is when it was let go. The
   * result is handed to {@code sink} once, on the stream's own thread.
   *
   * @param keepText whether the result holds what the model said
   */
  public void start(CompletionRequest request, boolean keepText, Consumer<CompletionResult> sink) {
    start(RequestWithSink.alone(request, keepText, sink));
  }

  /** The same for a request whose sink may name the one that its thread sends next. */
  public void start(RequestWithSink exchange) {
    Sending first = new Sending(exchange);
    try {
      streams.execute(
          () -> {
            for (Sending sending = first; sending != null; sending = sending.next()) {
              sending.play();
            }
          });
    } catch (RejectedExecutionException e) {
      first.stream.fail(new InterruptedIOException("the client is closed"));
    }
  }

  private Request http(CompletionRequest request, OpenStream stream) {
    Request.Builder builder =
        new Request.Builder()
            .url(urls.computeIfAbsent(request.url(), this::parsed))
            .post(RequestBody.create(request.body(), JSON))
            .header("Accept", request.withoutStream() ? "application/json" : "text/event-stream")
            .header("Accept-Encoding", "identity")
            .header("X-Request-Id", request.requestId());
    if (!request.traceparent().isEmpty()) {
      builder.header("traceparent", request.traceparent());
    }
    settings.headers().forEach(builder::header);
    settings.api().allHeaders().forEach(builder::header);
    return builder.tag(OpenStream.class, stream).build();
  }

  private HttpUrl parsed(String url) {
    return HttpUrl.get(settings.api().at(url));
  }

  /** Leaves every open stream; their results come as {@code CLIENT_CANCELLED}. */
  public void cancelAll() {
    open.forEach(stream -> stream.leave(Leaving.PLANNED));
  }

  /**
   * Closes connections that no stream uses. Before a window: what lay idle meanwhile may be closed
   * by the server at any moment, and a request on it would fail for no fault of the engine.
   */
  public void dropIdleConnections() {
    places.closeIdle();
  }

  @Override
  public void close() {
    cancelAll();
    deadlines.shutdownNow();
    streams.shutdown();
    places.closeIdle();
  }

  private List<ScheduledFuture<?>> watchDeadlines(CompletionRequest request, OpenStream stream) {
    // OkHttp's own limits are off, see build.
    long ahead = Math.max(0, request.startNanoTime() - System.nanoTime());
    ScheduledFuture<?> limit =
        watch(stream, ahead, settings.requestTimeoutNanos(), Leaving.TIMED_OUT);
    return request.cancelAfterNanos() == 0
        ? List.of(limit)
        : List.of(limit, watch(stream, ahead, request.cancelAfterNanos(), Leaving.PLANNED));
  }

  /** Leaves so long after the actual start, which may come later than it was wanted. */
  private ScheduledFuture<?> watch(
      OpenStream stream, long aheadNanos, long afterStartNanos, Leaving why) {
    return deadlines.schedule(
        () -> {
          long left = stream.phases().nanosUntil(afterStartNanos);
          if (left > 0) {
            deadlines.schedule(() -> stream.leave(why), left, TimeUnit.NANOSECONDS);
          } else {
            stream.leave(why);
          }
        },
        aheadNanos + afterStartNanos,
        TimeUnit.NANOSECONDS);
  }

  private static OkHttpClient pooled(OkHttpClient like, int most, long idleNanos) {
    return like.newBuilder()
        .connectionPool(new ConnectionPool(most, idleNanos, TimeUnit.NANOSECONDS))
        .build();
  }

  private OkHttpClient build(X509TrustManager trusted, Dns names) {
    Dispatcher dispatcher = new Dispatcher(streams);
    dispatcher.setMaxRequests(MAXIMUM_CONNECTIONS);
    dispatcher.setMaxRequestsPerHost(MAXIMUM_CONNECTIONS);
    return new OkHttpClient.Builder()
        .sslSocketFactory(tls, trusted)
        .dispatcher(dispatcher)
        .protocols(
            settings.http2()
                ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                : List.of(Protocol.HTTP_1_1))
        .dns(names)
        .socketFactory(new CountingSockets(deadlines))
        .addNetworkInterceptor(CompletionClient::exchange)
        .eventListenerFactory(call -> call.request().tag(OpenStream.class).phases())
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
    OpenStream stream = chain.request().tag(OpenStream.class);
    stream.phases().awaitStart();
    Response answer = chain.proceed(chain.request());
    try {
      stream.takeHead(answer);
    } catch (IOException e) {
      answer.close();
      throw e;
    }
    return answer.isSuccessful() ? answer : answer.newBuilder().code(PLAIN_FAILURE).build();
  }

  /** One request on its way, and what its sink wants sent after it. */
  private final class Sending {
    private final OpenStream stream;
    private final Request request;
    private Call running;
    private Optional<RequestWithSink> following = Optional.empty();

    Sending(RequestWithSink exchange) {
      RequestTimings phases =
          new RequestTimings(gate, exchange.request().startNanoTime(), tls);
      stream =
          new OpenStream(
              exchange, phases, redaction, result -> following = exchange.sink().ended(result));
      open.add(stream);
      List<ScheduledFuture<?>> limits = watchDeadlines(exchange.request(), stream);
      OkHttpClient place = places.take();
      stream.onEnd(
          () -> {
            open.remove(stream);
            limits.forEach(limit -> limit.cancel(false));
            places.giveBack(place);
          });
      request = http(exchange.request(), stream);
      begin(place);
    }

    private void begin(OkHttpClient client) {
      running = client.newCall(request);
      stream.begin(running);
    }

    void play() {
      try {
        execute();
        stream.read();
      } catch (IOException e) {
        stream.fail(e);
      } catch (RuntimeException e) {
        // Whatever a server brings about in the library, its request must have an end.
        running.cancel();
        stream.fail(ConnectionFault.noHttp(e));
      }
    }

    private void execute() throws IOException {
      try {
        running.execute();
      } catch (IOException e) {
        if (!stream.resends(e)) {
          throw e;
        }
        begin(fresh);
        if (stream.isLeft()) {
          // Whoever left meanwhile has ended the call before this one.
          throw e;
        }
        running.execute();
      }
    }

    Sending next() {
      return following.map(Sending::new).orElse(null);
    }
  }
}
