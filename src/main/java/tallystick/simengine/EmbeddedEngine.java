package tallystick.simengine;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A simulated vLLM engine behind HTTP, in this process and in real time. */
public final class EmbeddedEngine implements AutoCloseable {
  private static final long START_SECONDS = 20;
  private static final long CLOSE_SECONDS = 5;

  /** A step's tokens go out at once, one write for each stream: that is work for two. */
  private static final int EVENT_LOOPS = Math.min(2, Runtime.getRuntime().availableProcessors());

  /** Names the free port that the event loops share, where a free one was asked for. */
  private static final int SHARED = 1;

  private final Vertx vertx;
  private final HttpApi api;
  private final String url;

  private EmbeddedEngine(Vertx vertx, HttpApi api, String url) {
    this.vertx = vertx;
    this.api = api;
    this.url = url;
  }

  /**
   * Starts an engine that answers when this returns.
   *
   * @param host address to listen on; loopback unless others shall reach it
   * @param port port to listen on; 0 means a free one
   * @throws UncheckedIOException if it cannot listen there
   */
  public static EmbeddedEngine start(EngineSettings settings, String host, int port) {
    double createdSeconds = System.currentTimeMillis() / 1e3;
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1));
    KeepAlive keepAlive = new KeepAlive(vertx, settings.serving().keepAliveSeconds());
    HttpApi api =
        new HttpApi(
            settings, new Replicas(settings, createdSeconds), keepAlive, createdSeconds);
    HttpServerOptions options =
        new HttpServerOptions()
            .setTcpNoDelay(true)
            .setIdleTimeout(0)
            .setAcceptBacklog(2048)
            .setCompressionSupported(false)
            // vLLM's uvicorn speaks HTTP/1.1 only and passes over a client's offer to upgrade.
            .setHttp2ClearTextEnabled(false);
    AtomicInteger actualPort = new AtomicInteger();
    try {
      SocketAddress address =
          port == 0
              ? SocketAddress.sharedRandomPort(SHARED, host)
              : SocketAddress.inetSocketAddress(port, host);
      vertx
          .deployVerticle(
              () -> new Listener(options, address, api, keepAlive, actualPort),
              new DeploymentOptions().setInstances(EVENT_LOOPS))
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_SECONDS, TimeUnit.SECONDS);
      return new EmbeddedEngine(vertx, api, "http://" + host + ":" + actualPort.get());
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      api.close();
      vertx.close();
      String reason = e.getCause() == null ? e.toString() : e.getCause().getMessage();
      throw new UncheckedIOException(
          String.format(
              Locale.ROOT,
              "cannot listen on %s:%d: %s; another port, or 0 for a free one, may do",
              host, port, reason),
          new IOException(e));
    }
  }

  /** Where it listens, for example {@code http://127.0.0.1:8000}. */
  public String url() {
    return url;
  }

  /** How late its outputs were so far. */
  public EmissionLateness lateness() {
    return api.lateness();
  }

  /** Stops answering; open streams are cut. */
  @Override
  public void close() {
    api.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the embedded engine did not stop: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes connections on an event loop of its own; all of them share the port. */
  private static final class Listener extends VerticleBase {
    private final HttpServerOptions options;
    private final SocketAddress address;
    private final HttpApi api;
    private final KeepAlive keepAlive;
    private final AtomicInteger actualPort;

    private Listener(
        HttpServerOptions options,
        SocketAddress address,
        HttpApi api,
        KeepAlive keepAlive,
        AtomicInteger actualPort) {
      this.options = options;
      this.address = address;
      this.api = api;
      this.keepAlive = keepAlive;
      this.actualPort = actualPort;
    }

    @Override
    public Future<?> start() {
      return vertx
          .createHttpServer(options)
          .requestHandler(api::handle)
          .connectionHandler(
              connection -> connection.closeHandler(closed -> keepAlive.closed(connection)))
          .listen(address)
          .onSuccess(server -> actualPort.set(server.actualPort()));
    }
  }
}
