package tallystick.openai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.OkHttpClient;

/**
 * Gives each request in flight a pool of its own, with one connection. OkHttp locks and looks at
 * each connection of a pool for a request that begins and again for one that ends: users whose
 * answers end together waited for each other, and with thousands of streams in one pool that was a
 * sixth of the client's time. A pool that was given back last is taken first, so a request finds
 * the connection that lies idle there. Threads: any.
 */
final class ConnectionPoolShards {
  private final Supplier<OkHttpClient> pools;
  private final List<OkHttpClient> all = new ArrayList<>();
  private final Deque<OkHttpClient> free = new ArrayDeque<>();

  /**
   * Pools that are made when none is free.
   *
   * @param pools makes a client with a pool of its own, and all else in common
   */
  ConnectionPoolShards(Supplier<OkHttpClient> pools) {
    this.pools = pools;
  }

  /** A client for one request, to be given back when it has ended. */
  synchronized OkHttpClient take() {
    if (free.isEmpty()) {
      free.push(pools.get());
      all.add(free.peek());
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
