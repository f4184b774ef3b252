package tallystick.simengine;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A simulated vLLM engine behind HTTP, in this process and in real time. */
public final class EmbeddedEngine implements AutoCloseable {
  private static final long START_SECONDS = 20;

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
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1));
    KeepAlive keepAlive = new KeepAlive(vertx, settings.serving().keepAliveSeconds());
    HttpApi api =
        new HttpApi(
            settings, new Replicas(settings, createdSeconds), keepAlive, createdSeconds);
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setTcpNoDelay(true)
            .setIdleTimeout(0)
            .setAcceptBacklog(2048)
            .setCompressionSupported(false);
    try {
      HttpServer server =
          vertx
              .createHttpServer(options)
              .requestHandler(api::handle)
              .connectionHandler(
                  connection ->
                      connection.closeHandler(closed -> keepAlive.closed(connection)))
              .listen()
              .toCompletionStage()
              .toCompletableFuture()
              .get(START_SECONDS, TimeUnit.SECONDS);
      return new EmbeddedEngine(vertx, api, "http://" + host + ":" + server.actualPort());
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      api.close();
      vertx.close();
      String reason = e.getCause() == null ? e.toString() : e.getCause().getMessage();
      throw new UncheckedIOException(
          new IOException("cannot listen on " + host + ":" + port + ": " + reason, e));
    }
  }

  /** Where it listens, for example {@code http://127.0.0.1:8000}. */
  public String url() {
    return url;
  }

  /** Stops answering; open streams are cut. */
  @Override
  public void close() {
    api.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the embedded engine did not stop: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
