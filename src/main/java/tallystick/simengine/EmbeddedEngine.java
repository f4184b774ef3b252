package tallystick.simengine;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
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
  private static final long START_SECONDS = 20; // a bound
  private static final long CLOSE_SECONDS = 5; // a bound, so that an end is an end

  /** A step's tokens go out at once, one write for each stream: that is work for two. */
  private static final int EVENT_LOOPS = Math.min(2, Runtime.getRuntime().availableProcessors());

  private static final HttpServerOptions OPTIONS =
      new HttpServerOptions()
          .setTcpNoDelay(true)
          .setIdleTimeout(0)
          .setAcceptBacklog(2048)
          .setCompressionSupported(false)
          // vLLM's uvicorn speaks HTTP/1.1 only and passes over a client's offer to upgrade.
          .setHttp2ClearTextEnabled(false);

  /** Names the free port that the event loops share, where a free one was asked for. */
  private static final int SHARED = 1;

  /** How often a server that is back asks for its port, which another may hold for a moment. */
  private static final long AGAIN_NANOS = 100_000_000;

  private final EngineSettings settings;
  private final String host;
  private final Vertx vertx;
  private final ServerFaults faults;
  private final AtomicInteger port;
  private volatile HttpApi api;
  private volatile String deployment = "";
  private volatile boolean isClosed;

  private EmbeddedEngine(EngineSettings settings, String host, int port) {
    this.settings = settings;
    this.host = host;
    this.port = new AtomicInteger(port);
    this.faults = new ServerFaults(settings, this::restart);
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                    // It serves no files; a folder for them would outlive an engine that is killed.
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
  }

  /**
   * Starts an engine that answers when this returns.
   *
   * @param host address to listen on; loopback unless others shall reach it
   * @param port port to listen on; 0 means a free one
   * @throws UncheckedIOException if it cannot listen there
   */
  public static EmbeddedEngine start(EngineSettings settings, String host, int port) {
    EmbeddedEngine engine = new EmbeddedEngine(settings, host, port);
    try {
      await(engine.listen());
      return engine;
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      engine.api.close();
      engine.vertx.close();
      String reason = (e.getCause() == null ? e : e.getCause()).getMessage();
      throw new UncheckedIOException(
          String.format(
              Locale.ROOT,
              "cannot listen on %s:%d: %s; another port, or 0 for a free one, may do",
              host, port, reason),
          new IOException(e));
    }
  }

  /** Begins a life of the server: engines that have counted nothing yet, behind the port. */
  private Future<?> listen() {
    double createdSeconds = System.currentTimeMillis() / 1e3;
    KeepAlive keepAlive = new KeepAlive(vertx, settings.serving().keepAliveSeconds());
    HttpApi born = new HttpApi(settings, keepAlive, faults, createdSeconds);
    api = born;
    SocketAddress address =
        port.get() == 0
            ? SocketAddress.sharedRandomPort(SHARED, host)
            : SocketAddress.inetSocketAddress(port.get(), host);
    return vertx
        .deployVerticle(
            () -> context -> takeConnections(address, born, keepAlive),
            new DeploymentOptions().setInstances(EVENT_LOOPS))
        .onSuccess(id -> deployment = id);
  }

  /** On an event loop of its own; all of them share the port. */
  private Future<?> takeConnections(SocketAddress address, HttpApi born, KeepAlive keepAlive) {
    return vertx
        .createHttpServer(OPTIONS)
        .requestHandler(born::handle)
        .connectionHandler(
            connection -> connection.closeHandler(closed -> keepAlive.asked(connection)))
        .listen(address)
        .onSuccess(server -> port.set(server.actualPort()));
  }

  /** On a thread of its own: timers of a server end with it. */
  private void restart(Fault.Restart fault) {
    Thread.ofPlatform()
        .daemon()
        .name("restart")
        .start(
            () -> {
              HttpApi dying = api;
              PreciseSleep.until(System.nanoTime() + fault.down().afterNanos());
              vertx.undeploy(deployment).onComplete(gone -> dying.close());
              PreciseSleep.until(System.nanoTime() + fault.down().forNanos());
              comeBack();
            });
  }

  private void comeBack() {
    while (!isClosed) {
      try {
        await(listen());
        return;
      } catch (ExecutionException | TimeoutException taken) {
        api.close();
        PreciseSleep.until(System.nanoTime() + AGAIN_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void await(Future<?> future)
      throws ExecutionException, TimeoutException, InterruptedException {
    future.toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
  }

  /** Where it listens, for example {@code http://127.0.0.1:8000}. */
  public String url() {
    return "http://" + host + ":" + port.get();
  }

  /** How late its outputs were so far. */
  public EmissionLateness lateness() {
    return api.lateness();
  }

  /** Stops answering; open streams are cut. */
  @Override
  public void close() {
    isClosed = true;
    api.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the embedded engine did not stop: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
