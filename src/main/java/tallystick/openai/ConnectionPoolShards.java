package tallystick.openai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.OkHttpClient;

/**
 * Spreads requests over several pools of connections. OkHttp looks at all connections of a pool for
 * each request that begins and again for each that ends; with thousands of streams in one pool that
 * was a sixth of the client's time. A place that was given back last is taken first, so a request
 * finds the connection that lies idle there. Threads: any.
 */
final class ConnectionPoolShards {
  /** Connections of one pool. */
  static final int PLACES = 64;

  private final Supplier<OkHttpClient> pools;
  private final List<OkHttpClient> all = new ArrayList<>();
  private final Deque<OkHttpClient> free = new ArrayDeque<>();

  /**
   * Places in pools.
   *
   * @param pools makes a client with a pool of its own, and all else in common
   */
  ConnectionPoolShards(Supplier<OkHttpClient> pools) {
    this.pools = pools;
  }

  /** A client for one request, to be given back when it has ended. */
  synchronized OkHttpClient take() {
    if (free.isEmpty()) {
      OkHttpClient more = pools.get();
      all.add(more);
      for (int i = 0; i < PLACES; i++) {
        free.push(more);
      }
    }
    return free.pop();
  }

  synchronized void giveBack(OkHttpClient client) {
    free.push(client);
  }

  /** Closes the connections that no stream uses. */
  synchronized void closeIdle() {
    all.forEach(client -> client.connectionPool().evictAll());
  }
}
