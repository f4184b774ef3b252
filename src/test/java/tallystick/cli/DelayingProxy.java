package tallystick.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy on loopback that holds every byte for a while, each way: it delays and does not slow
 * down, as a long line does.
 */
final class DelayingProxy implements AutoCloseable {
  private static final int BUFFER = 16_384;

  private final ServerSocket door;
  private final InetSocketAddress target;
  private final long wayNanos;

  private DelayingProxy(ServerSocket door, InetSocketAddress target, long wayNanos) {
    this.door = door;
    this.target = target;
    this.wayNanos = wayNanos;
  }

  /** A proxy before a port of loopback. */
  static DelayingProxy before(int port, long wayMillis) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    DelayingProxy proxy =
        new DelayingProxy(
            new ServerSocket(0, 64, loopback),
            new InetSocketAddress(loopback, port),
            TimeUnit.MILLISECONDS.toNanos(wayMillis));
    Thread.ofPlatform().daemon().start(proxy::accept);
    return proxy;
  }

  String url() {
    return "http://127.0.0.1:" + door.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Socket server = new Socket(target.getAddress(), target.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        carry(client, server);
        carry(server, client);
      }
    } catch (IOException closed) {
      // The door is shut: the test is over, or the server has gone and the client will see it.
      return;
    }
  }

  /** Bytes of one direction; an empty piece is the end. */
  private void carry(Socket from, Socket to) {
    DelayQueue<Piece> line = new DelayQueue<>();
    Thread.ofPlatform().daemon().start(() -> read(from, line));
    Thread.ofPlatform().daemon().start(() -> write(line, to));
  }

  private void read(Socket from, DelayQueue<Piece> line) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
        line.add(piece(Arrays.copyOf(buffer, size)));
      }
    } catch (IOException reset) {
      // Like an end: what was read before still arrives.
      line.add(piece(new byte[0]));
      return;
    }
    line.add(piece(new byte[0]));
  }

  private Piece piece(byte[] bytes) {
    return new Piece(bytes, System.nanoTime() + wayNanos);
  }

  private static void write(DelayQueue<Piece> line, Socket to) {
    try (to) {
      OutputStream out = to.getOutputStream();
      for (Piece piece = line.take(); piece.bytes().length > 0; piece = line.take()) {
        out.write(piece.bytes());
      }
    } catch (IOException gone) {
      // The other side has left; its own direction says so.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Piece(byte[] bytes, long dueNanos) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(dueNanos, ((Piece) other).dueNanos());
    }
  }
}
