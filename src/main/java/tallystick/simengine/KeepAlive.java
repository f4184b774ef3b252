package tallystick.simengine;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes connections over which nothing was asked for a while after an answer, as vLLM's uvicorn
 * does; one that has not asked anything yet stays open.
 *
 * <p>Threads: a connection's calls come on its own event loop; several loops may share this.
 */
final class KeepAlive {
  private final Vertx vertx;
  private final long idleMillis;
  private final Map<HttpConnection, Long> timers = new ConcurrentHashMap<>();

  KeepAlive(Vertx vertx, double idleSeconds) {
    this.vertx = vertx;
    this.idleMillis = Math.max(1, Math.round(idleSeconds * 1e3));
  }

  /** A request has come over a connection, or it is closed. */
  void asked(HttpConnection connection) {
    Long timer = timers.remove(connection);
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  /** The last answer has gone out over a connection. */
  void answered(HttpConnection connection) {
    asked(connection);
    timers.put(
        connection,
        vertx.setTimer(
            idleMillis,
            timer -> {
              timers.remove(connection);
              connection.close();
            }));
  }
}
